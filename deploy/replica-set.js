// Makes the three mongods one replica set, unless they are one already, and waits for a primary.
// Run by mongosh against any of them; it may be run again.

const members = ['mongo-1', 'mongo-2', 'mongo-3'].map((name, index) => ({ _id: index, host: `${name}:27017` }));

try {
  rs.initiate({ _id: 'rs0', members });
} catch (error) {
  if (error.codeName !== 'AlreadyInitialized') throw error;
}

for (let tries = 0; ; tries += 1) {
  const { members: found } = rs.status();
  if (found.some(({ stateStr }) => stateStr === 'PRIMARY')) break;
  if (tries === 120) throw new Error('the replica set has no primary');
  sleep(500);
}

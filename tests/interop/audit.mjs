// Audits a server for GraphQL over HTTP, and writes the results that are not ok.
import { auditServer } from 'graphql-http';

const results = await auditServer({ url: process.argv[2] });
const wrong = results.filter((one) => one.status !== 'ok').map(({ id, name, reason }) => ({ id, name, reason }));
console.log(JSON.stringify({ count: results.length, wrong }));
process.exit(0);

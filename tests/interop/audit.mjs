// Audits a server for GraphQL over HTTP, and writes which audits are ok, and what is wrong with the others.
//
//   node audit.mjs URL
import { auditServer } from 'graphql-http';

const results = await auditServer({ url: process.argv[2] });
const ok = results.filter(({ status }) => status === 'ok').map(({ id }) => id);
const wrong = results.filter(({ status }) => status !== 'ok').map(({ id, name, status, reason }) => ({ id, name, status, reason }));
console.log(JSON.stringify({ ok, wrong }));

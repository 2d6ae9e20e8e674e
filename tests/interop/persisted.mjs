// Asks the same twice with automatic persisted queries, and writes what was sent each time: the hash, the document
// or both.
//
//   node persisted.mjs CLIENT URL
import { ApolloClient, HttpLink, InMemoryCache, gql } from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { Client, fetchExchange } from '@urql/core';
import { persistedExchange } from '@urql/exchange-persisted';
import { createHash } from 'node:crypto';

const [name, url] = process.argv.slice(2);
const query = gql`query Games { games { id } }`;
const sent = [];
const watched = (to, init) => {
  const { query, extensions } = init.body ? JSON.parse(init.body) : Object.fromEntries(new URL(to).searchParams);
  const hash = JSON.stringify(extensions ?? {}).includes('persistedQuery');
  sent.push([hash ? 'hash' : '', query ? 'document' : ''].filter(Boolean).join(' '));
  return fetch(to, init);
};

const clients = {
  'Apollo Client'() {
    const sha256 = (text) => createHash('sha256').update(text).digest('hex');
    const link = new PersistedQueryLink({ sha256, useGETForHashedQueries: true });
    const client = new ApolloClient({
      cache: new InMemoryCache(),
      link: link.concat(new HttpLink({ uri: url, fetch: watched })),
    });
    return async () => (await client.query({ query, fetchPolicy: 'no-cache' })).data;
  },
  urql() {
    const exchanges = [persistedExchange(), fetchExchange];
    const client = new Client({ url, fetch: watched, exchanges, requestPolicy: 'network-only' });
    return async () => (await client.query(query, {}).toPromise()).data;
  },
};

const ask = clients[name]();
const games = [await ask(), await ask()].map(({ games }) => games.length);
console.log(JSON.stringify({ games, sent }));

// Clients that send the hashes of trusted documents, and no documents.
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { generatePersistedQueryIdsFromManifest } from '@apollo/persisted-query-lists';
import { persistedExchange } from '@urql/exchange-persisted';

// The documents that @graphql-codegen makes know the hash that its manifest has for them.
const hashOf = (document: object): string => (document as { __meta__?: { hash?: string } }).__meta__?.hash ?? '';

export const apolloByCodegen = new PersistedQueryLink({ generateHash: hashOf });

export const urqlByCodegen = persistedExchange({
  generateHash: async (_, document) => hashOf(document as object),
  enforcePersistedQueries: true,
  enableForMutation: true,
  enableForSubscriptions: true,
  preferGetForPersistedQueries: false,
});

// With the manifest of @apollo/generate-persisted-query-manifest, the name of an operation tells its hash.
export const apolloByManifest = (loadManifest: Parameters<typeof generatePersistedQueryIdsFromManifest>[0]['loadManifest']) =>
  new PersistedQueryLink(generatePersistedQueryIdsFromManifest({ loadManifest }));

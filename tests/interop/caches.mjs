// What caches that keep objects by their identity make of answers, for test_caches.py. On standard input comes
// {schema, answers: [{query, data}]}; all answers go into one cache in order, and then each is read again.
import { InMemoryCache } from '@apollo/client';
import { buildSchema, getNamedType, getNullableType, isLeafType, isListType, parse } from 'graphql';
import relay from 'relay-runtime';
import { readFileSync } from 'node:fs';

const { schema: text, answers } = JSON.parse(readFileSync(0, 'utf8'));
const schema = buildSchema(text);

function apollo() {
  const cache = new InMemoryCache();
  const queries = answers.map(({ query }) => parse(query));
  answers.forEach(({ data }, at) => cache.writeQuery({ query: queries[at], data }));
  return queries.map((query) => cache.readQuery({ query }));
}

// What the Relay compiler makes of a selection.
function selected(type, selections) {
  return selections.map((selection) => {
    if (selection.kind === 'InlineFragment') {
      const of = schema.getType(selection.typeCondition.name.value);
      const inside = selected(of, selection.selectionSet.selections);
      return { kind: 'InlineFragment', type: of.name, abstractKey: null, selections: inside };
    }
    const { alias, name, arguments: given = [], selectionSet } = selection;
    const args = given.map((one) => ({ kind: 'Literal', name: one.name.value, value: one.value.value }));
    const shared = { alias: alias?.value ?? null, args, name: name.value, storageKey: null };
    if (name.value === '__typename') return { kind: 'ScalarField', ...shared };
    const field = type.getFields()[name.value].type;
    const inner = getNamedType(field);
    if (isLeafType(inner)) return { kind: 'ScalarField', ...shared };
    return {
      kind: 'LinkedField',
      ...shared,
      concreteType: 'getFields' in inner && !('resolveType' in inner) ? inner.name : null,
      plural: isListType(getNullableType(field)),
      selections: selected(inner, selectionSet.selections),
    };
  });
}

function ofRelay() {
  const store = new relay.Store(new relay.RecordSource());
  const environment = new relay.Environment({ network: relay.Network.create(() => null), store });
  const operations = answers.map(({ query }, at) => {
    const selections = selected(schema.getQueryType(), parse(query).definitions[0].selectionSet.selections);
    const name = `Query${at}`;
    const request = {
      kind: 'Request',
      fragment: { kind: 'Fragment', name, type: 'Query', argumentDefinitions: [], metadata: null, selections },
      operation: { kind: 'Operation', name, argumentDefinitions: [], selections },
      params: { id: null, cacheID: name, name, operationKind: 'query', text: query, metadata: {} },
    };
    return relay.createOperationDescriptor(request, {});
  });
  answers.forEach(({ data }, at) => environment.commitPayload(operations[at], data));
  return operations.map(({ fragment }) => environment.lookup(fragment).data);
}

process.stdout.write(JSON.stringify({ apollo: apollo(), relay: ofRelay() }));

// GraphiQL with a tab for each example of this server. All tabs share a token and a table, which stand in the fields
// above them. The headers of a tab win, and go with its requests and into connection_init of its WebSocket.
'use strict';

(async () => {
  const NO_TABLE = 'tbl_00000000000000000000'; // stands in the examples for the table of the field
  const ENDED = ['UNAUTHENTICATED', 'TOKEN_EXPIRED'];

  const field = (name) => {
    const input = document.getElementById(name);
    const keep = (value) => {
      input.value = value;
      localStorage.setItem(`fliptable:${name}`, value);
    };
    input.value = localStorage.getItem(`fliptable:${name}`) ?? '';
    input.addEventListener('change', () => keep(input.value.trim()));
    return { get: () => input.value.trim(), keep };
  };
  const token = field('token');
  const table = field('table');

  // What is signed in to, or opened, is for the other tabs. What becomes of a token of a tab's own is not.
  const learn = (result, own) => {
    const { signInAsGuest, renewToken, signOut, createTable } = result?.data ?? {};
    if (signInAsGuest?.token) token.keep(signInAsGuest.token);
    if (renewToken?.token && !own) token.keep(renewToken.token);
    if (signOut && !own) token.keep('');
    if (createTable?.table?.id) table.keep(createTable.table.id);
    return result;
  };

  // What is followed is handed on as it is, so that it ends when it is ended.
  const learning = (results, own) => ({
    [Symbol.asyncIterator]() {
      const one = results[Symbol.asyncIterator]();
      const next = async () => {
        const step = await one.next();
        if (!step.done) learn(step.value, own);
        return step;
      };
      return { next, return: (value) => one.return?.(value) ?? { done: true, value } };
    },
  });

  const filled = (value) => {
    if (value === NO_TABLE) return table.get() || value;
    if (Array.isArray(value)) return value.map(filled);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, filled(one)]));
  };

  const endpoint = new URL('/graphql', location.href);
  const socket = new URL(endpoint);
  socket.protocol = endpoint.protocol.replace('http', 'ws');

  // A token that has ended, or that a server before this one has given, is let go of.
  const tolerant = async (input, init = {}) => {
    const sent = init.headers?.Authorization;
    const answer = await fetch(input, init);
    if (answer.status !== 401 || !sent || sent !== `Bearer ${token.get()}`) return answer;
    const told = await answer.clone().json().catch(() => ({}));
    if (!told.errors?.some(({ extensions }) => ENDED.includes(extensions?.code))) return answer;
    token.keep('');
    const { Authorization, ...headers } = init.headers;
    return fetch(input, { ...init, headers });
  };
  const ask = GraphiQL.createFetcher({ url: endpoint.href, subscriptionUrl: socket.href, fetch: tolerant });
  const fetcher = async (params, options = {}) => {
    const own = options.headers ?? {};
    const named = Object.keys(own).some((name) => name.toLowerCase() === 'authorization');
    const signsIn = /\bsignInAsGuest\b/.test(params.query);
    const shared = token.get() && !named && !signsIn ? { Authorization: `Bearer ${token.get()}` } : {};
    const results = await ask(
      { ...params, variables: filled(params.variables) },
      { ...options, headers: { ...shared, ...own } },
    );
    return results?.[Symbol.asyncIterator] ? learning(results, named) : learn(results, named);
  };

  const examples = await (await fetch('/graphiql/examples.json')).json();
  const tabs = examples.map(({ query, variables }) => ({
    query,
    variables: JSON.stringify(variables, null, 2),
    headers: '',
  }));
  // At the first visit GraphiQL shows only the query of the first tab, and not what else belongs to it.
  const { variables, headers } = localStorage.getItem('graphiql:tabState') ? {} : tabs[0];
  ReactDOM.createRoot(document.getElementById('graphiql')).render(
    React.createElement(GraphiQL, {
      fetcher,
      defaultEditorToolsVisibility: true,
      isHeadersEditorEnabled: true,
      shouldPersistHeaders: true,
      defaultTabs: tabs,
      variables,
      headers,
    }),
  );
})();

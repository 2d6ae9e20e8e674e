// GraphiQL with a tab for each example of this server. The headers of a tab go with its requests, and into
// connection_init of its WebSocket.
'use strict';

(async () => {
  const endpoint = new URL('/graphql', location.href);
  const socket = new URL(endpoint);
  socket.protocol = endpoint.protocol.replace('http', 'ws');
  const examples = await (await fetch('/graphiql/examples.json')).json();
  const fetcher = GraphiQL.createFetcher({ url: endpoint.href, subscriptionUrl: socket.href });
  const tabs = examples.map(({ query, variables, headers }) => ({
    query,
    variables: JSON.stringify(variables, null, 2),
    headers: JSON.stringify(headers, null, 2),
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

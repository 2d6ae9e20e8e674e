"""The GraphQL API, the HTTP server and the command line of Fliptable."""

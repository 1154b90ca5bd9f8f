// A certified OpenID Connect provider on loopback: `node provider.mjs REDIRECT_URI...` prints its issuer and serves.
// Whoever signs in as NAME (any password) is NAME@example.org; names beginning with "unverified" are not verified.
import { createServer } from 'node:http';

import { Provider } from 'oidc-provider';

const server = createServer((request, response) => handle(request, response));
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const issuer = `http://127.0.0.1:${server.address().port}`;

const provider = new Provider(issuer, {
  clients: [
    {
      client_id: 'heldout',
      application_type: 'native', // on loopback any port will do (RFC 8252)
      client_secret: 'a secret of the tests, not of anybody',
      redirect_uris: process.argv.slice(2),
      grant_types: ['authorization_code'],
      response_types: ['code'],
    },
  ],
  pkce: { required: () => true },
  conformIdTokenClaims: false,
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
  async findAccount(_context, id) {
    const claims = { sub: id, email: `${id}@example.org`, email_verified: !id.startsWith('unverified'), name: id };
    return { accountId: id, claims: async () => claims };
  },
});
const handle = provider.callback();

// The process ends with the one that started it.
process.stdin.resume();
process.stdin.on('end', () => process.exit(0));
console.log(JSON.stringify({ issuer }));

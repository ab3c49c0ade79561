import type { DemoKeys } from './setUpDemo.ts'

/** Formats the address and keys of the demo project, and requests to paste into a shell. */
export function formatDemoBanner(
  { serverKey, clientKey }: DemoKeys,
  { url, signInLink }: { readonly url: string; readonly signInLink: string | undefined },
  store: string
): string {
  const user = '{"user_id":"ada","country":"CA","customData":{"plan":"pro"}}'
  const context = '{"context":{"targetingKey":"ada","country":"CA","plan":"pro"}}'
  return [
    '',
    'Burgee is running a demo project, "demo", in its environment "production".',
    '',
    ...(signInLink === undefined
      ? []
      : ['Open the dashboard. This link signs in once, within 15 minutes:', '', `  ${signInLink}`, '']),
    `  url         ${url}`,
    `  server key  ${serverKey}`,
    `  client key  ${clientKey}`,
    `  store       ${store}`,
    `  reference   ${url}/docs`,
    '',
    'One variable of one user:',
    '',
    formatCurl(`${url}/v1/variables/new-checkout`, serverKey, user),
    '',
    'All variables of this user:',
    '',
    formatCurl(`${url}/v1/variables`, serverKey, user),
    '',
    'The same flag through OFREP, and all flags with a client key, which browsers can use:',
    '',
    formatCurl(`${url}/ofrep/v1/evaluate/flags/new-checkout`, `Bearer ${serverKey}`, context),
    '',
    formatCurl(`${url}/ofrep/v1/evaluate/flags`, `Bearer ${clientKey}`, context),
    ''
  ].join('\n')
}

function formatCurl(url: string, authorization: string, body: string): string {
  return [
    `  curl -s ${url} \\`,
    `    -H 'Authorization: ${authorization}' \\`,
    `    -H 'Content-Type: application/json' \\`,
    `    -d '${body}'`
  ].join('\n')
}

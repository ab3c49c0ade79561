import type { Settings } from '@burgee/kit/settings'
import { sharedSettings } from '@burgee/mcp/settings'
import {
  allowedDestinations,
  anyText,
  clientSecret,
  encryptionKeys,
  eventsMib,
  httpUrl,
  integer,
  issuerUrl,
  matching,
  maxEventsMib,
  nonEmptyText,
  oneOf,
  onOff,
  plainHttpUrl,
  serverKeys,
  toolServers,
  workerCount
} from './settingParsers.ts'

// Long because it lists every setting.

/** The prefix of environment variables. */
export const VARIABLE_PREFIX = 'BURGEE_'

/** The settings of the server. `publicUrl` is the flag `--public-url` and the variable `BURGEE_PUBLIC_URL`. */
export const settings = {
  ...under('Server', {
    host: {
      default: '127.0.0.1',
      help: 'Address to listen on. 0.0.0.0 and :: listen on every interface; set --public-url with them.',
      parse: nonEmptyText
    },
    port: {
      default: '8080',
      placeholder: 'number',
      help: 'Port to listen on, 0 to 65535. 0 selects a free one.',
      parse: integer(0, 65_535)
    },
    publicUrl: {
      help: 'Address under which callers reach the server, such as https://flags.example.com, without query, fragment or user. The listening address if empty.',
      parse: plainHttpUrl
    },
    trustedProxies: {
      default: '0',
      placeholder: 'number',
      help: 'Number of proxies in front of the server, 0 to 10. Each appends an address to X-Forwarded-For; failed attempts and events are counted by the address that the first proxy saw.',
      parse: integer(0, 10)
    },
    shutdownNoticeSeconds: {
      default: '1',
      placeholder: 'number',
      help: 'Seconds between SIGTERM and the end of listening, 1 to 60. Meanwhile requests are answered and /readyz returns 503. Set more than the load balancer needs to notice it.',
      parse: integer(1, 60)
    },
    workers: {
      default: '1',
      placeholder: 'number',
      help: 'Number of processes that evaluate, 1 to 256, or auto for one per processor. With 1, the server is one process; with more, it is one process that has the store, and as many workers.',
      parse: workerCount
    },
    logLevel: {
      default: 'info',
      help: 'fatal, error, warn, info, debug, trace or silent. Logs go to standard error.',
      parse: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent')
    },
    dashboard: {
      default: 'on',
      help: 'on, or off to serve no dashboard at /, and no browser sessions at /session.',
      parse: oneOf('on', 'off')
    },
    dashboardUrl: { ...sharedSettings.dashboardUrl },
    demo: onOff('Create a demo project in an empty store, and print its keys and requests to try')
  }),
  ...under('Storage', {
    store: {
      default: 'file:./burgee-data',
      help: 'Where data is stored: file:<directory>, postgres://<user>@<host>/<database>, or memory: to keep nothing.',
      parse: nonEmptyText
    },
    storeConnections: {
      default: '10',
      placeholder: 'number',
      help: 'Maximum number of connections to a PostgreSQL store, 4 to 1000.',
      parse: integer(4, 1_000)
    },
    storePollMs: {
      default: '1000',
      placeholder: 'number',
      help: 'Milliseconds between two checks of a PostgreSQL store for changes of other servers, 100 to 60000. Notifications of the database usually arrive earlier.',
      parse: integer(100, 60_000)
    },
    storeNotifications: {
      default: 'on',
      help: 'on, or off to learn of changes of other servers by these checks only, as behind a connection pooler in transaction mode.',
      parse: oneOf('on', 'off')
    },
    backupHours: {
      default: '24',
      placeholder: 'number',
      help: 'Hours between two copies that the server makes of a store in a directory, 0 to 8760. 0 makes none.',
      parse: integer(0, 8_760)
    },
    backupCopies: {
      default: '3',
      placeholder: 'number',
      help: 'Number of these copies to keep, 1 to 1000.',
      parse: integer(1, 1_000)
    },
    backupDirectory: {
      help: 'Directory of these copies, preferably on another disk. The folder backups in the directory of the store if empty.',
      parse: anyText
    },
    encryptionKey: {
      isSecret: true,
      help: 'Key that encrypts the secrets in the store: 32 random bytes in base64 or hexadecimal. Previous keys may follow, separated by commas; the first start with a new key replaces them. No encryption if empty.',
      parse: encryptionKeys
    },
    cacheDirectory: {
      default: './burgee-cache',
      help: 'Directory for copies of configs, with which a server starts while its PostgreSQL store is unavailable, and for the queued events of an edge node.',
      parse: nonEmptyText
    }
  }),
  ...under('Edge nodes', {
    edge: onOff('Run as an edge node: evaluate with copies of the configs of --upstream, without a store'),
    upstream: {
      help: 'Address of the server that an edge node copies configs from and forwards events to, such as https://flags.example.com, without query, fragment or user.',
      parse: plainHttpUrl
    },
    edgeKeys: {
      isSecret: true,
      help: 'Server keys of the environments that an edge node serves, separated by commas, one for each environment. Applications use any key of these environments.',
      parse: serverKeys
    },
    edgeQueueMib: {
      default: '1024',
      placeholder: 'number',
      help: 'Maximum size of the queued events of an edge node in MiB, 1 to 1000000. Beyond it, events get 503.',
      parse: integer(1, 1_000_000)
    }
  }),
  ...under('Sign-in', {
    passwords: {
      default: 'on',
      help: 'on, or off to disable passwords: people cannot sign in with one or set one. off needs an identity provider (BURGEE_OIDC_ISSUER) or a passkey in the store.',
      parse: oneOf('on', 'off')
    },
    oidcIssuer: {
      help: 'Issuer of an OpenID provider for sign-in, such as https://login.example.com: https, or http on this computer, without query or fragment.',
      parse: issuerUrl
    },
    oidcClientId: {
      help: 'Client id of this server at the provider. Register the public URL followed by /oauth/callback there.',
      parse: anyText
    },
    oidcClientSecret: {
      isSecret: true,
      help: 'Client secret of this server at the provider.',
      parse: anyText
    },
    oidcName: {
      default: 'your organization',
      help: 'Name of the provider on the button "Sign in with …", 1 to 60 characters.',
      parse: matching(/^.{1,60}$/s)
    },
    oidcGroupsClaim: {
      default: 'groups',
      help: 'Claim of the provider that contains the groups of a person.',
      parse: nonEmptyText
    },
    oidcExternalIdClaim: {
      help: 'Claim of the provider that contains the externalId of SCIM, besides sub. Default: oid at Microsoft Entra ID, none elsewhere. People must not be able to set it themselves.',
      parse: anyText
    },
    oidcScopes: {
      default: 'openid profile email',
      help: 'OAuth scopes to request, separated by spaces; must include openid.',
      parse: (text: string) => (text.split(' ').includes('openid') ? text : undefined)
    },
    oidcGraceHours: {
      default: '12',
      placeholder: 'number',
      help: 'Grace period in hours, 0 to 12. The server reads the groups from the provider at each token refresh; sessions stay valid for this long while the provider is unavailable.',
      parse: integer(0, 12)
    }
  }),
  ...under('API clients and keys', {
    adminClientId: {
      help: 'Id of an API client with full access to the management API. If empty, the first start creates one; its secret goes to the terminal, or to administrator.env in the directory of the store.',
      parse: matching(/^[\w.@-]{0,100}$/)
    },
    adminClientSecret: {
      isSecret: true,
      help: 'Secret of that client: 16 to 256 printable characters without spaces, and with its checksum if it starts with burgee_secret_. Only a hash is stored.',
      parse: clientSecret
    },
    dynamicRegistration: onOff(
      'Let applications register themselves (RFC 7591) as clients that people can sign in to, as assistants do'
    ),
    clientIdDocuments: onOff(
      'Accept the address of a document as client id (OAuth Client ID Metadata Document), as assistants do',
      'Anyone who can start a sign-in makes the server read such addresses.'
    ),
    workloadClockSkew: {
      default: '60',
      placeholder: 'number',
      help: 'Allowed clock skew for identity tokens of CI systems, in seconds, 0 to 300.',
      parse: integer(0, 300)
    },
    expiryWarningDays: {
      default: '14',
      placeholder: 'number',
      help: 'How many days before the expiry of an SDK key, API client, SCIM token or trust the server starts to warn, 1 to 365. 0 disables the warnings.',
      parse: integer(0, 365)
    },
    compatLegacyNames: onOff('Also accept and return the legacy names of some members in the management API')
  }),
  ...under('Limits and retention', {
    managementRateLimit: {
      default: '6000',
      placeholder: 'number',
      help: 'Requests to the management API per minute, for each person, API client and SCIM token. 0 sets no limit.',
      parse: integer(0)
    },
    ofrepRateLimit: {
      default: '0',
      placeholder: 'number',
      help: 'OFREP requests per minute and SDK key. 0 sets no limit.',
      parse: integer(0)
    },
    eventsRateLimit: {
      default: '64',
      placeholder: 'number',
      help: `MiB of events per minute and address, for client and mobile keys, which are public: a whole number from ${maxEventsMib()}, the size limit of one request. 0 sets no limit.`,
      parse: eventsMib
    },
    userDataRateLimit: {
      default: '4',
      placeholder: 'number',
      help: 'MiB of user data (edge data and opt-in choices) per minute and address, for client and mobile keys, which are public. 0 sets no limit.',
      parse: integer(0)
    },
    maxStoredUsers: {
      default: '100000',
      placeholder: 'number',
      help: 'Users whose data client and mobile keys may add: edge data per project, opt-in choices per environment. Users that server keys wrote do not count. 0 sets no limit.',
      parse: integer(0)
    },
    maxStreams: {
      default: '10000',
      placeholder: 'number',
      help: 'Maximum number of open streams, 0 to 1000000. Each takes a connection.',
      parse: integer(0, 1_000_000)
    },
    maxStreamsPerNetwork: {
      default: '1000',
      placeholder: 'number',
      help: 'Maximum number of open streams with client and mobile keys, which are public, from one address; IPv6 addresses count by their first 64 bits. 0 sets no limit.',
      parse: integer(0, 1_000_000)
    },
    sampleUsers: {
      default: '1000',
      placeholder: 'number',
      help: 'Users per environment that the server keeps in memory for previews and explanations, 0 to 10000: a random sample of those it evaluated. 0 keeps none.',
      parse: integer(0, 10_000)
    },
    eventsRetentionDays: {
      default: '90',
      placeholder: 'number',
      help: 'Days to keep single events, 31 to 36500. Experiments look back 30 days; counts are kept for 400 days.',
      parse: integer(31, 36_500)
    },
    userDataRetentionDays: {
      default: '400',
      placeholder: 'number',
      help: 'Days to keep edge data and opt-in choices of users that are neither written nor used by evaluations, 1 to 36500.',
      parse: integer(1, 36_500)
    }
  }),
  ...under('Audit log and access log', {
    auditAnchorKey: {
      isSecret: true,
      help: 'Ed25519 private key in PEM that signs the head of the audit log each hour; \\n may stand for line breaks. No anchors without a key.',
      parse: anyText
    },
    auditAnchorKeyFile: {
      help: 'File with that key, outside the directory of the store.',
      parse: anyText
    },
    auditAnchorKeyCommand: {
      help: 'Shell command that prints that key, for example from a secret manager. It runs once, at the start.',
      parse: anyText
    },
    auditAnchorUrl: {
      help: 'Address that each anchor of the audit log is posted to, as JSON: https or http. Anchors are only logged if empty.',
      parse: httpUrl
    },
    accessRetentionDays: {
      default: '90',
      placeholder: 'number',
      help: 'Days to keep entries of the access log, 1 to 36500.',
      parse: integer(1, 36_500)
    },
    accessLogOtlpEndpoint: {
      help: 'Address of an OpenTelemetry collector for the access log (OTLP over HTTP as JSON), such as http://127.0.0.1:4318, without query, fragment or user. No export if empty.',
      parse: plainHttpUrl
    }
  }),
  ...under('Monitoring and integrations', {
    metricsPort: {
      default: '0',
      placeholder: 'number',
      help: 'Port to serve /metrics on, at the address to listen on, instead of the port of the API; 1 to 65535. 0 keeps it on the port of the API.',
      parse: integer(0, 65_535)
    },
    metricsToken: {
      isSecret: true,
      help: 'Bearer token that /metrics requires: 16 to 256 printable characters without spaces. None if empty.',
      parse: matching(/^([!-~]{16,256})?$/)
    },
    otlpEndpoint: {
      help: 'Address of an OpenTelemetry collector for traces (OTLP over HTTP), such as http://127.0.0.1:4318, without query, fragment or user. No traces if empty.',
      parse: plainHttpUrl
    },
    allowedPrivateTargets: {
      help: 'Targets that webhooks and integrations may reach although they are not public: names and addresses, each with or without a port, and networks, separated by commas, such as hooks.internal,10.0.0.8:8080,10.1.0.0/16.',
      parse: allowedDestinations
    }
  }),
  ...under('Tools for assistants', {
    mcp: onOff('Serve the tools for assistants (Model Context Protocol) at /mcp'),
    mcpConfirm: { ...sharedSettings.confirm },
    mcpReadOnly: { ...sharedSettings.readOnly },
    mcpCategories: { ...sharedSettings.categories },
    mcpNoSdkKeys: { ...sharedSettings.noSdkKeys },
    mcpRateLimit: {
      default: '0',
      placeholder: 'number',
      help: 'Tool calls per minute, for each person and client. 0 sets no limit.',
      parse: integer(0)
    },
    toolServers: {
      help: 'Separate tool servers (burgee-mcp --http), separated by commas: for each the id of its API client and its address, such as tools=https://tools.example.com/mcp. Addresses are https, or http on this computer, without query, fragment or user. Only that client can exchange tokens issued for the address for tokens of the API.',
      parse: toolServers
    }
  })
} as const satisfies Settings

/** Adds the heading under which help lists the settings. */
function under<const S extends Settings>(heading: string, group: S): S {
  // Each member keeps its type.
  return Object.fromEntries(Object.entries(group).map(([name, setting]) => [name, { ...setting, heading }])) as S
}

/**
 * The environment variables of each program that begin with `BURGEE_`, and those that the documentation uses for SDK
 * keys. Programs share an environment, so `burgee-server` reports none of them as unknown. Tests compare them with the
 * settings that the programs declare.
 */
export const programVariables = {
  burgee: [
    'BURGEE_ALLOW_HTTP',
    'BURGEE_CLIENT_ID',
    'BURGEE_CLIENT_SECRET',
    'BURGEE_CLIENT_SECRET_FILE',
    'BURGEE_CONFIG_DIR',
    'BURGEE_ENVIRONMENT',
    'BURGEE_ID_TOKEN',
    'BURGEE_ID_TOKEN_FILE',
    'BURGEE_OUTPUT',
    'BURGEE_PROFILE',
    'BURGEE_PROJECT',
    'BURGEE_TOKEN',
    'BURGEE_TOKEN_FILE',
    'BURGEE_TRUST',
    'BURGEE_URL'
  ],
  'burgee-mcp': [
    'BURGEE_DASHBOARD_URL',
    'BURGEE_MCP_ALLOW_HTTP',
    'BURGEE_MCP_CATEGORIES',
    'BURGEE_MCP_CONFIRM',
    'BURGEE_MCP_HOST',
    'BURGEE_MCP_HTTP',
    'BURGEE_MCP_NO_SDK_KEYS',
    'BURGEE_MCP_PORT',
    'BURGEE_MCP_PUBLIC_URL',
    'BURGEE_MCP_RATE_LIMIT',
    'BURGEE_MCP_READ_ONLY'
  ],
  applications: ['BURGEE_CLIENT_KEY', 'BURGEE_SDK_KEY']
} as const satisfies Readonly<Record<string, readonly string[]>>

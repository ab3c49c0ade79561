/** Formats the id of a client that was created without one. */
export function formatClientId(id: string): string {
  return `${PREFIX}${id}`
}

/** Whether a client id has the form of generated ones, which callers cannot choose. */
export function isGeneratedClientId(clientId: string): boolean {
  return clientId.startsWith(PREFIX) && /^[0-9a-f]{24}$/.test(clientId.slice(PREFIX.length))
}

const PREFIX = 'client_'

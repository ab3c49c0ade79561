/** The program that signs in, as its messages name it. */
export interface SignInProgram {
  /** As users type it: `burgee-mcp`. */
  readonly name: string
  /** The flag for the address of the server: `--api-url`. */
  readonly serverFlag: `--${string}`
  /** The member of the metadata of servers that has the id of the client which they have for this program. */
  readonly clientIdMember?: string
  /** Sends requests to the authorization server, with a limit on the size of responses. */
  readonly send?: typeof fetch
}

import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { McpServerContext } from '../connection/context.ts'
import { createSession } from '../connection/session.ts'
import type { Account } from '../login/account.ts'
import { createMcpServer } from './createMcpServer.ts'
import { onInvalidLine } from './onInvalidLine.ts'

/** Serves the parent process over standard input and output. Resolves when it disconnects. */
export async function serveOverStdio(
  context: McpServerContext,
  { id, tokens }: Pick<Account, 'id' | 'tokens'>
): Promise<void> {
  const session = createSession(true)
  const server = serveStdio(() => createMcpServer(context, { id, tokens, session }), {
    onerror: ({ message }) => context.log.info({ message }, 'connection error')
  })
  onInvalidLine(process.stdin, (length) => context.log.info({ length }, 'skipped a line that is not JSON'))
  await new Promise<void>((resolve) => {
    process.stdin.once('close', resolve)
    // The reader of the output has closed it.
    process.stdout.once('error', () => resolve())
  })
  await server.close()
}

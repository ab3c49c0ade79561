import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { createToolServer } from './createToolServer.ts'
import type { Account } from './login/account.ts'
import type { Service } from './service.ts'
import { createSession } from './session.ts'
import { onStrayLines } from './strayLines.ts'

/** Serves the program that started this one, over standard input and output. Resolves when it has gone. */
export async function serveOverStdio(service: Service, { id, tokens }: Pick<Account, 'id' | 'tokens'>): Promise<void> {
  const session = createSession(true)
  const server = serveStdio(() => createToolServer(service, { id, tokens, session }), {
    onerror: ({ message }) => service.log.info({ message }, 'the connection had a problem')
  })
  onStrayLines(process.stdin, (length) => {
    service.log.info({ length }, 'a line came in that is no JSON, and was passed over')
  })
  await new Promise<void>((resolve) => {
    process.stdin.once('close', resolve)
    // Nobody reads any more.
    process.stdout.once('error', () => resolve())
  })
  await server.close()
}

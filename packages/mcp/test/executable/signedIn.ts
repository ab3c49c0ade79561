import type { TestServer } from '@burgee/testing/harness'
import { CLIENT, visit } from '@burgee/testing/vitest/signInAsAda'
import { type Home, makeHome, runHere } from './program.ts'

/** Creates a home directory in which Ada is signed in. */
export async function signedIn(server: TestServer, ...flags: readonly string[]): Promise<Home> {
  const home = await makeHome()
  const open = async (address: string) => void visit(server, address)
  const args = ['login', '--api-url', server.url, '--client-id', CLIENT, ...flags]
  const { code, stderr } = await runHere(args, home.environment, { open })
  if (code !== 0) throw new Error(stderr)
  return home
}

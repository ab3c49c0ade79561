import { rm } from 'node:fs/promises'
import type { RequestListener, Server } from 'node:http'
import { startListening, stopListening } from '../../api/http/listen.ts'
import { OptionError } from '../../lib/errors.ts'
import { createSocketDirectory } from './socketDirectory.ts'

/** The socket on which the main process receives the requests that workers forward. */
export interface ForwardingSocket {
  readonly server: Server
  readonly socketPath: string
  readonly close: () => Promise<void>
}

/** Opens the socket, in a directory of its own. @throws {OptionError} if the temporary directory is not writable. */
export async function openForwardingSocket(receive: RequestListener, timeouts: Timeouts): Promise<ForwardingSocket> {
  const { directory, socketPath } = await createSocketDirectory().catch((cause) => {
    throw new OptionError(`workers need a writable temporary directory: ${cause.message}. Set TMPDIR`, { cause })
  })
  const server = await startListening(receive, { at: { path: socketPath }, ...timeouts })
  return {
    server,
    socketPath,
    close: async () => {
      await stopListening(server, 0)
      await rm(directory, { recursive: true, force: true })
    }
  }
}

/** The timeouts of requests. */
export interface Timeouts {
  readonly stallTimeoutMs: number
  readonly requestTimeoutMs?: number | undefined
}

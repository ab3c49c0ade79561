import { lstat, mkdtemp, readdir, rmdir, unlink } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MINUTE } from '../../lib/time.ts'

/** The directory of the socket of one server, which only its user can open. */
interface SocketDirectory {
  readonly directory: string
  readonly socketPath: string
}

const PREFIX = 'burgee-'
const SOCKET = 'main.sock'

/** Creates a directory for the socket, and removes those that killed servers of this user have left. */
export async function createSocketDirectory(): Promise<SocketDirectory> {
  await removeAbandonedDirectories()
  const directory = await mkdtemp(join(tmpdir(), PREFIX))
  return { directory, socketPath: join(directory, SOCKET) }
}

async function removeAbandonedDirectories(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => [])
  const directories = names.filter((name) => name.startsWith(PREFIX)).map((name) => join(tmpdir(), name))
  // Directories of other programs can have the prefix.
  await Promise.all(directories.map((directory) => removeIfAbandoned(directory).catch(() => {})))
}

async function removeIfAbandoned(directory: string): Promise<void> {
  if (!(await isAbandoned(directory))) return
  await unlink(join(directory, SOCKET))
  // Fails if it contains other files.
  await rmdir(directory)
}

/**
 * Whether no process listens on the socket of a directory. Process ids would not show this: they are reused, and
 * containers that share the directory have their own.
 */
async function isAbandoned(directory: string): Promise<boolean> {
  const [own, socket] = await Promise.all([lstat(directory), lstat(join(directory, SOCKET))])
  const isOfUser = own.isDirectory() && own.uid === process.getuid?.() && socket.isSocket()
  // A server that is starting does not listen yet.
  if (!isOfUser || Date.now() - socket.mtimeMs < MINUTE) return false
  return isRefused(join(directory, SOCKET))
}

/** Whether a connection is refused. A server that is too busy to accept it does not refuse it. */
function isRefused(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath)
    socket.on('connect', () => {
      socket.destroy()
      resolve(false)
    })
    socket.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'ECONNREFUSED'))
  })
}

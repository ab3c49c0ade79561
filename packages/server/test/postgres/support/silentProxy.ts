import { createServer, connect as openConnection, type Socket } from 'node:net'
import { addCleanup } from '@burgee/testing/cleanup'

/** A TCP proxy in front of a database that can stop to answer, as a network that drops all packets does. */
export interface SilentProxy {
  /** The address of the database through the proxy. */
  readonly url: string
  /** Passes nothing on any more, in either direction. New connections are accepted, and stay silent too. */
  readonly silence: () => void
  /** Passes everything on, but falls silent when a client has sent a text: the database gets it, its answer is lost. */
  readonly silenceAfter: (text: string) => void
  readonly isSilent: () => boolean
  /**
   * Drops the answer to the last text on the first connection on which a client sends it after the others, and ends
   * that connection.
   */
  readonly loseAnswerTo: (...texts: readonly string[]) => void
  /** Ends all connections, and further ones at once. */
  readonly refuse: () => void
  /** Passes on what new connections send. Those from before stay silent. */
  readonly heal: () => void
}

/** Opens a proxy in front of the database at an address. */
export async function openSilentProxy(databaseUrl: string): Promise<SilentProxy> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let isSilent = false
  let isRefusing = false
  let trigger: string | undefined
  let lost: readonly string[] = []
  const track = (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
  }
  // A silent database does not answer the end of a connection either.
  const server = createServer({ allowHalfOpen: true }, (client) => {
    track(client)
    if (isRefusing) return client.destroy()
    if (isSilent) return client.resume()
    const database = openConnection(Number(target.port), target.hostname)
    track(database)
    /** Whether the connection was open when the proxy fell silent. */
    let isDead = false
    let sent = ''
    client.on('data', (chunk) => {
      isDead ||= isSilent
      if (isDead) return
      const last = lost.at(-1)
      if (last !== undefined && chunk.includes(last) && lost.slice(0, -1).every((text) => sent.includes(text))) {
        lost = []
        isDead = true
        // The database answers after its commit.
        database.once('data', () => client.destroy())
      }
      sent += lost.length > 0 ? chunk.toString('latin1') : ''
      database.write(chunk)
      if (trigger !== undefined && chunk.includes(trigger)) isSilent = true
    })
    database.on('data', (chunk) => {
      isDead ||= isSilent
      if (!isDead) client.write(chunk)
    })
    client.on('end', () => !isSilent && database.end())
    client.on('close', () => database.destroy())
    database.on('close', () => !isSilent && client.destroy())
    silenced.push(() => {
      isDead = true
    })
  })
  const silenced: (() => void)[] = []
  addCleanup(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const url = new URL(databaseUrl)
  url.port = String(typeof address === 'object' && address ? address.port : 0)
  return {
    url: url.href,
    silence: () => {
      isSilent = true
    },
    silenceAfter: (text) => {
      trigger = text
    },
    isSilent: () => isSilent,
    loseAnswerTo: (...texts) => {
      lost = texts
    },
    refuse: () => {
      isRefusing = true
      for (const socket of sockets) socket.destroy()
    },
    heal: () => {
      // Marks the connections that sent nothing meanwhile.
      for (const mark of silenced.splice(0)) mark()
      trigger = undefined
      isSilent = false
      isRefusing = false
    }
  }
}

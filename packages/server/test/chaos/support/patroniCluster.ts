import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { every } from '@burgee/kit'
import { addCleanup } from '@burgee/testing/cleanup'
import { freePort } from '@burgee/testing/system/freePort'
import { expect } from 'vitest'

/** PostgreSQL servers with synchronous replication, of which Patroni makes one the primary. */
export interface PatroniCluster {
  /** The address of a database at the primary, whichever it is. */
  readonly url: string
  /** Resolves when there is a primary with a synchronous standby. */
  readonly healthy: () => Promise<void>
  /**
   * Ends all processes of the primary with SIGKILL, also those of Patroni when `withPatroni`. Resolves when there is a
   * primary again.
   */
  readonly killPrimary: (options: { readonly withPatroni: boolean }) => Promise<void>
}

const debian = '/usr/lib/postgresql'

/** Returns what a cluster needs and this machine lacks. */
export function findMissing(): readonly string[] {
  const programs = { patroni: '/usr/bin/patroni', 'etcd-server': '/usr/bin/etcd', postgresql: debian }
  return Object.entries(programs).flatMap(([name, path]) => (existsSync(path) ? [] : [name]))
}

const PASSWORD = 'burgee'

interface Member {
  readonly name: string
  readonly port: number
  readonly api: number
  readonly data: string
  readonly config: string
  process: ChildProcess
}

/** Starts etcd and two PostgreSQL servers on the loopback network. They end after the tests of this file. */
export async function startPatroniCluster(): Promise<PatroniCluster> {
  const directory = await mkdtemp(join(tmpdir(), 'burgee-failover-'))
  const account = findAccount()
  await chown(directory, account.uid, account.gid)
  const [clients, peers] = [await freePort(), await freePort()]
  const etcd = start('/usr/bin/etcd', account, [
    ...['--name', 'etcd', '--data-dir', join(directory, 'etcd'), '--logger', 'zap', '--log-level', 'error'],
    ...[
      '--listen-client-urls',
      `http://127.0.0.1:${clients}`,
      '--advertise-client-urls',
      `http://127.0.0.1:${clients}`
    ],
    ...[
      '--listen-peer-urls',
      `http://127.0.0.1:${peers}`,
      '--initial-advertise-peer-urls',
      `http://127.0.0.1:${peers}`
    ],
    ...['--initial-cluster', `etcd=http://127.0.0.1:${peers}`]
  ])
  const members: Member[] = []
  addCleanup(async () => {
    for (const { process } of members) await end(process)
    for (const { data } of members) await killServer(data)
    await end(etcd)
    await rm(directory, { recursive: true, force: true })
  })
  for (const name of ['one', 'two']) {
    const folder = join(directory, name)
    await mkdir(folder)
    const [port, api] = [await freePort(), await freePort()]
    const config = join(folder, 'patroni.json')
    const member = { name, port, api, data: join(folder, 'data'), config }
    await writeFile(config, JSON.stringify(describeMember(member, { folder, etcd: clients })))
    await chown(folder, account.uid, account.gid)
    await chmod(folder, 0o700)
    await chown(config, account.uid, account.gid)
    members.push({ ...member, process: start('/usr/bin/patroni', account, [config]) })
    // The first one initializes the cluster.
    await expect.poll(() => isPrimary(members[0] as Member), { timeout: 90_000, interval: 200 }).toBe(true)
  }
  const port = await forwardToPrimary(members)
  const healthy = async () => {
    await expect.poll(() => countRoles(members), { timeout: 180_000, interval: 200 }).toBe('leader, sync_standby')
  }
  await healthy()
  return {
    url: `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`,
    healthy,
    killPrimary: async ({ withPatroni }) => {
      const primary = await findPrimary(members)
      if (!primary) throw new Error('there is no primary to kill')
      if (withPatroni) await end(primary.process)
      await killServer(primary.data)
      const others = members.filter((member) => member !== primary)
      const isReplaced = async () => (await findPrimary(others)) !== undefined
      await expect.poll(isReplaced, { timeout: 120_000, interval: 50 }).toBe(true)
      if (withPatroni) primary.process = start('/usr/bin/patroni', account, [primary.config])
    }
  }
}

/** The configuration of a member, in JSON, which is YAML. */
function describeMember(
  { name, port, api, data }: Omit<Member, 'process'>,
  { folder, etcd }: { readonly folder: string; readonly etcd: number }
): object {
  const parameters = { max_connections: 100, wal_log_hints: 'on', unix_socket_directories: folder, hot_standby: 'on' }
  return {
    scope: 'burgee',
    name,
    restapi: { listen: `127.0.0.1:${api}`, connect_address: `127.0.0.1:${api}` },
    etcd3: { hosts: `127.0.0.1:${etcd}` },
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: 1,
        retry_timeout: 3,
        // A primary that ended is replaced at once instead of started again.
        master_start_timeout: 0,
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true, parameters }
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
      pg_hba: ['host replication replicator 127.0.0.1/32 md5', 'host all all 127.0.0.1/32 md5']
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: data,
      bin_dir: join(debian, newestVersion(), 'bin'),
      pgpass: join(folder, 'pgpass'),
      authentication: {
        superuser: { username: 'postgres', password: PASSWORD },
        replication: { username: 'replicator', password: PASSWORD },
        rewind: { username: 'rewinder', password: PASSWORD }
      }
    }
  }
}

function newestVersion(): string {
  return readdirSync(debian).sort((one, other) => Number(other) - Number(one))[0] ?? ''
}

interface Account {
  readonly uid: number
  readonly gid: number
}

/** Returns the account of the servers: `postgres` for root, as whom PostgreSQL refuses to run. */
function findAccount(): Account {
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0]
  if (uid !== 0) return { uid, gid }
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

function start(program: string, { uid, gid }: Account, args: readonly string[]): ChildProcess {
  const own = process.getuid?.() === 0 ? { uid, gid } : {}
  return spawn(program, args, { ...own, env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' }, stdio: 'ignore', cwd: '/' })
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('close', resolve))
  child.kill('SIGKILL')
  await ended
}

/** Ends the processes of a PostgreSQL server, as a crash of its machine does. */
async function killServer(data: string): Promise<void> {
  const [pid = ''] = (await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  if (!/^\d+$/.test(pid)) return
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')).split(' ')
  for (const one of [pid, ...children]) {
    if (!/^\d+$/.test(one)) continue
    try {
      process.kill(Number(one), 'SIGKILL')
    } catch {
      // It has ended.
    }
  }
}

async function isPrimary({ api }: Member): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${api}/primary`, { signal: AbortSignal.timeout(2_000) }).catch(
    () => undefined
  )
  return response?.status === 200
}

async function findPrimary(members: readonly Member[]): Promise<Member | undefined> {
  for (const member of members) if (await isPrimary(member)) return member
  return undefined
}

/** Returns the roles of the members that run. */
async function countRoles(members: readonly Member[]): Promise<string> {
  for (const { api } of members) {
    const response = await fetch(`http://127.0.0.1:${api}/cluster`).catch(() => undefined)
    if (!response?.ok) continue
    const { members: found } = (await response.json()) as { members: { role: string; state: string }[] }
    const running = found.filter(({ state }) => state === 'running' || state === 'streaming')
    return running
      .map(({ role }) => role)
      .sort()
      .join(', ')
  }
  return ''
}

/**
 * Forwards connections to the primary, and ends them when another server is, as HAProxy does with the checks of Patroni.
 */
async function forwardToPrimary(members: readonly Member[]): Promise<number> {
  let target = await findPrimary(members)
  const sockets = new Set<Socket>()
  const follow = async () => {
    const found = await findPrimary(members)
    if (found === target) return
    target = found
    for (const socket of sockets) socket.destroy()
  }
  const job = every(250, follow, { onError: () => {} })
  const server = createServer((client) => {
    if (!target) return client.destroy()
    const upstream = connect(target.port, '127.0.0.1')
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client]
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
      socket.pipe(other)
    }
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  addCleanup(async () => {
    await job.stop()
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return port
}

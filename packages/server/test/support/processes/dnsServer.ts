import { createSocket } from 'node:dgram'
import { addCleanup } from '@burgee/testing/cleanup'
import ipaddr from 'ipaddr.js'

/** The DNS response for a name. */
export interface DnsAnswer {
  readonly a?: readonly string[]
  readonly aaaa?: readonly string[]
  /** A CNAME; the addresses are those of its target. */
  readonly cname?: string
  /** An RCODE, such as 3 for a name that does not exist. */
  readonly code?: number
  /** Sets the truncated flag; there is no server on TCP. */
  readonly isTruncated?: boolean
  /** Sends no response. */
  readonly isSilent?: boolean
}

/** A name server of our own. */
export interface DnsServer {
  readonly server: string
  /** All questions: their type, and how often it was asked for the name before. */
  readonly asked: readonly string[]
}

/**
 * Starts a DNS server whose responses depend on the name and the number of earlier questions. It is closed after the
 * tests of this file.
 */
export async function startDnsServer(say: (times: number, name: string) => DnsAnswer): Promise<DnsServer> {
  const asked: string[] = []
  const socket = createSocket('udp4')
  addCleanup(() => socket.close())
  socket.on('message', (message, { port, address }) => {
    const { name, end } = nameAt(message, 12)
    const type = message.readUInt16BE(end)
    const question = `${type === 28 ? 'AAAA' : 'A'} ${name}`
    const said = say(asked.filter((other) => other === question).length, name)
    asked.push(question)
    if (!said.isSilent) socket.send(answerTo(message, end + 4, type, said), port, address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return { server: `127.0.0.1:${socket.address().port}`, asked }
}

function answerTo(message: Buffer, end: number, type: number, said: DnsAnswer): Buffer {
  const { a = [], aaaa = [], cname, code = 0, isTruncated = false } = said
  const addresses = (type === 28 ? aaaa : a).map((text) => Buffer.from(ipaddr.parse(text).toByteArray()))
  const alias = cname === undefined ? undefined : written(cname)
  const records = [
    ...(alias ? [record(Buffer.from([0xc0, 12]), 5, alias)] : []),
    ...addresses.map((address) => record(alias ?? Buffer.from([0xc0, 12]), type, address))
  ]
  const head = Buffer.alloc(12)
  message.copy(head, 0, 0, 2)
  head.writeUInt16BE(0x8180 | (isTruncated ? 0x0200 : 0) | code, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(records.length, 6)
  return Buffer.concat([head, message.subarray(12, end), ...records])
}

function record(name: Buffer, type: number, data: Buffer): Buffer {
  const rest = Buffer.alloc(10)
  rest.writeUInt16BE(type, 0)
  rest.writeUInt16BE(1, 2)
  rest.writeUInt16BE(data.length, 8)
  return Buffer.concat([name, rest, data])
}

function written(name: string): Buffer {
  const labels = name.split('.').flatMap((label) => [Buffer.from([label.length]), Buffer.from(label)])
  return Buffer.concat([...labels, Buffer.from([0])])
}

function nameAt(message: Buffer, start: number): { name: string; end: number } {
  const labels: string[] = []
  let at = start
  while (message[at] !== 0) {
    const length = message[at]!
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 }
}

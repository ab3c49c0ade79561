/** Formats the header of a file in the ustar format, which `tar` of every system reads. */
export function formatTarHeader(name: string, bytes: number, mtime: number): Uint8Array {
  const header = Buffer.alloc(BLOCK)
  if (Buffer.byteLength(name) > 100) throw new Error(`the name ${name} is too long for an archive`)
  header.write(name, 0)
  header.write('0000600\0', 100)
  header.write('0000000\0', 108)
  header.write('0000000\0', 116)
  header.write(formatSize(bytes), 124, 'latin1')
  header.write(
    `${Math.floor(mtime / 1_000)
      .toString(8)
      .padStart(11, '0')}\0`,
    136
  )
  header.write('        ', 148)
  header.write('0', 156)
  header.write('ustar\u000000', 257)
  header.write(`${checksumOf(header).toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

/** The bytes that fill the last block of a file. */
export function tarPadding(bytes: number): Uint8Array {
  return Buffer.alloc((BLOCK - (bytes % BLOCK)) % BLOCK)
}

/** The end of an archive. */
export const TAR_END: Uint8Array = Buffer.alloc(1024)

/** A file in an archive. */
export interface TarEntry {
  readonly name: string
  readonly bytes: number
  /** Must be read to its end before the next entry is asked for. */
  readonly content: AsyncIterable<Uint8Array>
}

/** Reads the files of an archive. @throws when it is damaged or ends early. */
export async function* readTar(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry, void> {
  const reader = new BlockReader(chunks)
  for (;;) {
    const header = Buffer.concat(await collect(reader.read(BLOCK)))
    if (header.every((byte) => byte === 0)) return
    const stored = Number.parseInt(header.toString('latin1', 148, 156), 8)
    if (stored !== checksumOf(header)) throw new Error('a header of the archive is damaged')
    if (header[156] !== 0x30 && header[156] !== 0) throw new Error('the archive has entries that are not files')
    const bytes = parseSize(header)
    yield { name: header.toString('utf8', 0, header.indexOf(0)), bytes, content: reader.read(bytes) }
    await collect(reader.read(tarPadding(bytes).length))
  }
}

const BLOCK = 512

/** Reads parts of a stream by their length. */
class BlockReader {
  readonly #chunks: AsyncIterator<Uint8Array>
  #rest: Uint8Array = new Uint8Array()

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  async *read(bytes: number): AsyncGenerator<Uint8Array, void> {
    for (let missing = bytes; missing > 0; ) {
      if (this.#rest.length === 0) {
        const { value, done } = await this.#chunks.next()
        if (done) throw new Error('the archive ends early')
        this.#rest = value
      }
      const part = this.#rest.subarray(0, missing)
      this.#rest = this.#rest.subarray(part.length)
      missing -= part.length
      yield part
    }
  }
}

async function collect(parts: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const collected: Uint8Array[] = []
  for await (const part of parts) collected.push(part)
  return collected
}

/** Sizes of 8 GiB and more are binary, with the highest bit set. */
function formatSize(bytes: number): string {
  if (bytes <= MAX_OCTAL) return `${bytes.toString(8).padStart(11, '0')}\0`
  const binary = Buffer.alloc(12)
  binary[0] = 0x80
  binary.writeBigUInt64BE(BigInt(bytes), 4)
  return binary.toString('latin1')
}

function parseSize(header: Buffer): number {
  if (((header[124] ?? 0) & 0x80) !== 0) return Number(header.readBigUInt64BE(128))
  return Number.parseInt(header.toString('latin1', 124, 136), 8)
}

const MAX_OCTAL = 0o77777777777

/** The sum of all bytes; those of the checksum itself count as spaces. */
function checksumOf(header: Uint8Array): number {
  return header.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 0x20 : byte), 0)
}

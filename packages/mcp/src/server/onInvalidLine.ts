import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

/** Calls `report` with the length of each incoming line that is not JSON. The SDK skips such lines silently. */
export function onInvalidLine(input: Readable, report: (length: number) => void): void {
  const decoder = new StringDecoder('utf8')
  let chunks: string[] = []
  input.on('data', (chunk: Buffer) => {
    const [first = '', ...others] = decoder.write(chunk).split('\n')
    chunks.push(first)
    for (const next of others) {
      const line = chunks.join('')
      if (line.trim() !== '' && !isJson(line)) report(line.length)
      chunks = [next]
    }
  })
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line)
    return true
  } catch {
    return false
  }
}

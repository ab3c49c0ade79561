import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

/** Tells of each line that comes in and is no JSON, by its length. The SDK passes over them, and says nothing. */
export function onStrayLines(input: Readable, tell: (length: number) => void): void {
  const decoder = new StringDecoder('utf8')
  let begun: string[] = []
  input.on('data', (chunk: Buffer) => {
    const [first = '', ...others] = decoder.write(chunk).split('\n')
    begun.push(first)
    for (const next of others) {
      const line = begun.join('')
      if (line.trim() !== '' && !isJson(line)) tell(line.length)
      begun = [next]
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

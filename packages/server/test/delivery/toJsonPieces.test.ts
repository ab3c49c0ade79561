import { expect, test } from 'vitest'
import { toJsonPieces } from '../../src/delivery/downloads/toJsonBuffer.ts'

async function piecesOf(content: object): Promise<string[]> {
  const pieces: string[] = []
  for await (const piece of toJsonPieces(content)) pieces.push(piece)
  return pieces
}

const features = Array.from({ length: 1000 }, (_, index) => ({ _id: `feature ${index}`, isOn: index % 2 === 0 }))
const config = { project: { _id: 'shop' }, features, audiences: {} }

// Each piece holds the event loop.
test.each<[string, object]>([
  ['a config', config],
  ['the configs of an edge node', { keys: [{ keyType: 'server' }], configs: [{ keyTypes: ['server'], config }] }]
])('the JSON text of %s is the same in slices of 20 features', async (_, content) => {
  const pieces = await piecesOf(content)
  expect(pieces.join('')).toBe(JSON.stringify(content))
  const counts = pieces.map((piece) => piece.split('"_id":"feature').length - 1).filter((count) => count > 0)
  expect(counts).toEqual(Array(50).fill(20))
})

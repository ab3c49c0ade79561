import type { ServerResponse } from 'node:http'
import { beforeAll, describe, expect, it } from 'vitest'
import { answerRequests } from '../support/answerRequests.ts'
import { runHere } from '../support/program.ts'

/** A server whose export a test writes. */
let answer: (response: ServerResponse) => void
let environment: Readonly<Record<string, string>>

beforeAll(async () => {
  environment = await answerRequests((response) => answer(response))
})

const exported = (line: string, person: Parameters<typeof runHere>[2] = {}) =>
  runHere(line.split(' '), environment, person)

describe('an export', () => {
  it('is printed while it arrives', async () => {
    let next: ServerResponse | undefined
    answer = (response) => {
      next = response
      response.write('{"n":1}\n{"n":')
    }
    // The server sends the second line only after the first one is printed.
    const drained = async () => void next?.end('2}\n')
    const { code, stdout } = await exported('audit export -o jsonl', { drained })
    expect([code, stdout]).toEqual([0, '{"n":1}\n{"n":2}\n'])
  })

  it.each([
    ['audit export', '[\n  {\n    "n": 1\n  },\n  {\n    "n": "é"\n  }\n]\n'],
    ['audit export -o jsonl', '{"n":1}\n{"n":"é"}\n'],
    ['audit export --query [].n', '[\n  1,\n  "é"\n]\n'],
    ['audit export -o tsv --columns n', 'n\n1\né\n'],
    ['access-log export --json --columns n', '[\n  {\n    "n": 1\n  },\n  {\n    "n": "é"\n  }\n]\n']
  ])('has the format of the settings: %s', async (line, expected) => {
    answer = (response) => response.end('{"n":1}\n{"n":"é"}')
    expect(await exported(line)).toEqual({ code: 0, stdout: expected, stderr: '' })
  })

  it('is an empty list without lines, and has a line for each object on a terminal', async () => {
    answer = (response) => response.end('')
    expect((await exported('audit export')).stdout).toBe('[]\n')
    answer = (response) => response.end('{"n":1}\n')
    expect((await exported('audit export', { isTerminal: true })).stdout).toBe('{"n":1}\n')
  })

  it('that is cut short is a failure, and reports how many items were printed', async () => {
    answer = (response) => response.write('{"n":1}\n{"n":', () => response.destroy())
    const { code, stdout, stderr } = await exported('audit export -o jsonl')
    expect([code, stdout]).toEqual([9, '{"n":1}\n'])
    expect(stderr).toContain('the output ends after 1 item and is not complete')
  })
})

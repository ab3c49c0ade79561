import { availableParallelism } from 'node:os'
import { describe, expect, it, test } from 'vitest'
import { parseOptions } from '../../src/cli/options.ts'

describe('--workers', () => {
  test.each([
    [[], {}, 1],
    [['--workers', '1'], {}, 1],
    [['--workers', '4'], {}, 4],
    [[], { BURGEE_WORKERS: '256' }, 256],
    [['--workers', 'auto'], { BURGEE_WORKERS: '3' }, availableParallelism()]
  ])('%j %j is %i', (args, environment, workers) => {
    expect(parseOptions(args, environment).workers).toBe(workers)
  })

  test.each(['0', '-1', 'x', '1.5', '257', ''])('cannot be "%s"', (text) => {
    expect(() => parseOptions([`--workers=${text}`], {})).toThrow(
      `--workers cannot be "${text}". Number of processes that evaluate, 1 to 256, or auto`
    )
    expect(() => parseOptions([], { BURGEE_WORKERS: text || ' ' })).toThrow('BURGEE_WORKERS cannot be')
  })

  it('cannot be combined with --edge', () => {
    const environment = { BURGEE_UPSTREAM: 'http://127.0.0.1:1', BURGEE_EDGE_KEYS: 'server-key' }
    expect(() => parseOptions(['--edge', '--workers', '2'], environment)).toThrow(
      '--workers 2 cannot be combined with --edge: start several edge nodes'
    )
    expect(parseOptions(['--edge', '--workers', '1'], environment).workers).toBe(1)
  })
})

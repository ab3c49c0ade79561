import process from 'node:process'
import { getHeapStatistics } from 'node:v8'
import { HttpError } from '../errors.ts'

/** A message to the process of a sandbox. */
export interface SandboxRequest {
  readonly name: string
  readonly input: unknown
}

/** Its reply. `isFull` asks for a new process, because this one keeps much memory. */
export type SandboxReply = { readonly isFull: boolean } & ({ readonly result: unknown } | { readonly refusal: string })

/** Runs the tasks that the server sends to this process, until the server ends. See `openSandbox`. */
export function serveTasks(functions: Readonly<Record<string, (input: never) => unknown>>): void {
  const memoryMib = Number(process.argv[2])
  const isFull = () => getHeapStatistics().used_heap_size > (memoryMib / 2) * 2 ** 20
  process.on('message', ({ name, input }: SandboxRequest) => {
    try {
      // The server sends the input that the function of this name takes.
      const result = functions[name]?.(input as never)
      reply({ result, isFull: isFull() })
    } catch (error) {
      if (!(error instanceof HttpError)) throw error
      reply({ refusal: error.message, isFull: isFull() })
    }
  })
  process.on('disconnect', () => process.exit())
  // Terminals send them to all processes. The server decides when this one ends.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
  process.send?.('ready')
}

function reply(message: SandboxReply): void {
  process.send?.(message)
}

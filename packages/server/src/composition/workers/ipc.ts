import { isRecord } from '@burgee/kit'
import { reasonOf } from '../../lib/reasonOf.ts'

/** The functions that a process offers to another one. Inputs and results are plain data. */
export type IpcFunctions = { readonly [name: string]: (input: never) => unknown }

/** One end of the channel between a process and its child: `process`, or a `ChildProcess`. */
interface IpcEnd {
  readonly send?: (message: object, callback: (error: Error | null) => void) => unknown
  readonly on: (event: 'message' | 'disconnect', listener: (message: unknown) => void) => unknown
}

/** Calls the functions of the process at the other end. */
export interface IpcClient<Functions extends IpcFunctions> {
  /** @throws {Error} if the function fails, or the other process ends first. */
  readonly call: <Name extends keyof Functions & string>(
    name: Name,
    input: Parameters<Functions[Name]>[0]
  ) => Promise<Awaited<ReturnType<Functions[Name]>>>
}

/** Serves functions to the process at the other end of a channel, and returns what calls its functions. */
export function connectIpc<Remote extends IpcFunctions>(end: IpcEnd, functions: IpcFunctions): IpcClient<Remote> {
  const waiting = new Map<number, PendingCall>()
  let isDisconnected = false
  let lastId = 0

  const send = (message: Message) => {
    end.send?.(message, (error) => {
      if (error && 'call' in message) settle({ id: message.id, error: reasonOf(error) })
    })
  }
  const settle = ({ id, result, error }: Reply) => {
    const pending = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) pending?.resolve(result)
    else pending?.reject(new Error(error))
  }
  const answer = async ({ id, call, input }: Call) => {
    try {
      // The other process is the same program, and its types are those of `functions`.
      send({ id, result: await functions[call]?.(input as never) })
    } catch (error) {
      send({ id, error: reasonOf(error) })
    }
  }
  end.on('message', (message) => {
    if (!isRecord(message) || typeof message.id !== 'number') return
    if (typeof message.call === 'string') void answer(message as unknown as Call)
    else settle(message as unknown as Reply)
  })
  end.on('disconnect', () => {
    isDisconnected = true
    for (const id of [...waiting.keys()]) settle({ id, error: ENDED })
  })
  return {
    call: (name, input) =>
      new Promise((resolve, reject) => {
        if (isDisconnected) return reject(new Error(ENDED))
        const id = ++lastId
        waiting.set(id, { resolve: resolve as (result: unknown) => void, reject })
        send({ id, call: name, input })
      })
  }
}

const ENDED = 'the other process has ended'

interface PendingCall {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
}

interface Call {
  readonly id: number
  readonly call: string
  readonly input: unknown
}

interface Reply {
  readonly id: number
  readonly result?: unknown
  readonly error?: string
}

type Message = Call | Reply

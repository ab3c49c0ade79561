import type { Input, Operations, Output } from '@burgee/contract'
import type { Current } from '../configs/configs.ts'

/** Who calls an operation that takes an SDK key: the environment and type of the key, and what it evaluates with. */
export type SdkCaller = Current

/** A body with its ETag, for operations that can answer 304. */
export interface Tagged<Body> {
  readonly etag: string
  readonly body: Body
}

/** How each operation of the contract is done; the compiler demands one handler for every record. */
export type Handlers = { readonly [Id in keyof Operations]: Handler<Operations[Id]> }

type Handler<O extends Operations[keyof Operations]> = (
  input: Input<O>,
  caller: SdkCaller
) => Reply<O> | Promise<Reply<O>>

type Reply<O extends Operations[keyof Operations]> = 'isConditional' extends keyof O ? Tagged<Output<O>> : Output<O>

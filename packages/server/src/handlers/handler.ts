import type { Input, Operations, Output } from '@burgee/contract'
import type { SdkCaller, TokenCaller } from '../caller.ts'
import type { Page } from '../store/store.ts'

/** A body with its ETag, for operations that can answer 304. */
export interface Tagged<Body> {
  readonly etag: string
  readonly body: Body
}

/** How each operation of the contract is done; the compiler demands one handler for every record. */
export type Handlers = { readonly [Id in keyof Operations]: Handler<Operations[Id]> }

type Handler<O extends Operations[keyof Operations]> = (
  input: Input<O>,
  caller: Caller<O>
) => Reply<O> | Promise<Reply<O>>

type Caller<O extends Operations[keyof Operations]> = O['credential']['type'] extends 'token' ? TokenCaller : SdkCaller

type Reply<O extends Operations[keyof Operations]> = 'isConditional' extends keyof O
  ? Tagged<Output<O>>
  : 'isList' extends keyof O
    ? Output<O> extends readonly (infer Item)[]
      ? Page<Item>
      : never
    : 'isLines' extends keyof O
      ? Output<O> extends readonly (infer Item)[]
        ? AsyncIterable<Item>
        : never
      : Output<O>

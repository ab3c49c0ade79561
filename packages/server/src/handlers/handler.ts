import type { AnswerForm, Input, Operations, Output } from '@burgee/contract'
import type { SdkCaller, TokenCaller } from '../caller.ts'
import type { Sent } from '../downloads/content.ts'
import type { Download } from '../downloads/download.ts'
import type { Page } from '../store/store.ts'
import type { BeginStream } from '../streams/reader.ts'

/** A body with its ETag, for operations that can answer 304. */
export interface Tagged<Body> {
  readonly etag: string
  readonly body: Body
}

/** How each operation of the contract is done; the compiler demands one handler for every record. */
export type Handlers = { readonly [Id in keyof Operations]: Handler<Operations[Id]> }

type Handler<O extends Operations[keyof Operations]> = (
  input: Input<O>,
  caller: Caller<O>,
  connection: Connection
) => Reply<O> | Promise<Reply<O>>

/** What a request came by. */
export interface Connection {
  /** Whether whoever asked has hung up. */
  readonly isGone: () => boolean
}

type Caller<O extends Operations[keyof Operations]> = O['credential']['type'] extends 'token' ? TokenCaller : SdkCaller

type Reply<O extends Operations[keyof Operations], Body = Output<O>> = O extends {
  readonly answer: infer Form extends AnswerForm
}
  ? Forms<Body>[Form]
  : Body

/** What each form of answer is made from. */
interface Forms<Body> {
  readonly list: Body extends readonly (infer Item)[] ? Page<Item> : never
  readonly lines: Body extends readonly (infer Item)[] ? AsyncIterable<Item> : never
  readonly conditional: Tagged<Body>
  readonly download: Download<Sent<Body>>
  readonly stream: BeginStream
}

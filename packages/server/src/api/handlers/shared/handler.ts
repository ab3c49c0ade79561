import type { Input, Operations, Output, ResponseKind } from '@burgee/contract'
import type { TokenCaller } from '../../../access/permissions/caller.ts'
import type { KeyConfig } from '../../../delivery/configs/keyConfig.ts'
import type { RequestOrigin } from '../../../delivery/configs/keyRestrictions.ts'
import type { Download } from '../../../delivery/downloads/download.ts'
import type { DownloadContent } from '../../../delivery/downloads/downloadContent.ts'
import type { StartStream } from '../../../delivery/streams/streamSink.ts'
import type { Page } from '../../../storage/store.ts'
import type { JsonText } from './jsonText.ts'
import type { WithHeaders } from './withHeaders.ts'

/** A response body with its ETag, for operations that can return 304. The body is made only if it is sent. */
export interface WithEtag<Body> {
  readonly etag: string
  readonly toBody: () => JsonText<Body>
  readonly headers?: Readonly<Record<string, string>>
}

/** A response body with the revision of its resource. */
export interface Revised<Body> {
  readonly revision: string
  readonly body: Body
}

/** The headers of a request that can require a revision. */
export interface IfMatch {
  readonly 'if-match'?: string | undefined
}

/** The handlers of all operations of the contract, by id. */
export type Handlers = { readonly [Id in keyof Operations]: Handler<Operations[Id]> }

type Handler<O extends Operations[keyof Operations]> = (
  input: Input<O>,
  caller: Caller<O>,
  connection: RequestConnection
) => Reply<O> | Promise<Reply<O>>

/** The connection of a request. */
export interface RequestConnection {
  /** Whether the client has closed it, or its side of it. */
  readonly isGone: () => boolean
  /** Resolves when the response has been sent, or the client has closed the connection. */
  readonly closed: () => Promise<void>
  /** The address of the client, or the /64 network of its IPv6 address. */
  readonly network: string
  readonly from: RequestOrigin
  /** Whether the client has a version of the response, and names its ETag. */
  readonly isConditional: boolean
  /** Verifies the access token of the request again, for responses that outlive it. @throws {HttpError} */
  readonly reauthenticate: () => Promise<TokenCaller>
}

type Caller<O extends Operations[keyof Operations]> = O['credential']['type'] extends 'token' ? TokenCaller : KeyConfig

type Reply<O extends Operations[keyof Operations], Body = Output<O>> = O extends {
  readonly responseKind: infer Form extends ResponseKind
}
  ? ReplyByKind<Body>[Form]
  : O extends { readonly hasRevision: true }
    ? Revised<Body>
    : Body | JsonText<Body> | WithHeaders<Body>

/** The result of a handler for each kind of response. */
interface ReplyByKind<Body> {
  readonly list: Body extends readonly (infer Item)[] ? Page<Item> : never
  readonly lines: Body extends readonly (infer Item)[] ? AsyncIterable<Item> : never
  readonly conditional: WithEtag<Body>
  readonly download: Download<DownloadContent<Body>>
  readonly stream: StartStream
}

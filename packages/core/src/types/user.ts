/** A value that a custom attribute of a user may take. */
export type CustomValue = string | number | boolean | null

/** The attributes an application attaches to a user; one level deep. */
export type CustomData = Readonly<Record<string, CustomValue>>

/**
 * Who an evaluation is for: the evaluation context of OpenFeature, with `user_id` as its targeting key.
 * Every member but `user_id` is optional, and members the evaluator does not know are ignored.
 */
export interface User {
  readonly user_id: string
  readonly email?: string | undefined
  readonly name?: string | undefined
  /** ISO 639-1, two letters. */
  readonly language?: string | undefined
  /** ISO 3166-1 alpha-2; compared as written, so `ca` is not `CA`. */
  readonly country?: string | undefined
  readonly appVersion?: string | undefined
  readonly appBuild?: number | string | undefined
  readonly platform?: string | undefined
  readonly platformVersion?: string | undefined
  readonly deviceModel?: string | undefined
  readonly customData?: CustomData | null | undefined
  /** Used for targeting and never logged; wins over `customData` in filters. */
  readonly privateCustomData?: CustomData | null | undefined
  /** Feature id → whether this user opted in; read by the `optIn` filter. */
  readonly optIns?: Readonly<Record<string, boolean>> | undefined
}

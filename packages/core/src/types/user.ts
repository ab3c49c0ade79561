/** The value of a custom attribute. */
export type CustomValue = string | number | boolean | null

/** Custom attributes of a user by name, without nesting. */
export type CustomData = Readonly<Record<string, CustomValue>>

/**
 * The user that an evaluation is for. OpenFeature calls it the evaluation context, and `user_id` the targeting key.
 * Unknown properties are ignored.
 */
export interface User {
  readonly user_id: string
  readonly email?: string | undefined
  readonly name?: string | undefined
  /** ISO 639-1, two letters. */
  readonly language?: string | undefined
  /** ISO 3166-1 alpha-2. Comparisons are case-sensitive. */
  readonly country?: string | undefined
  readonly appVersion?: string | undefined
  readonly appBuild?: number | string | undefined
  readonly platform?: string | undefined
  readonly platformVersion?: string | undefined
  readonly deviceModel?: string | undefined
  readonly customData?: CustomData | null | undefined
  /** For targeting only, never logged. Takes precedence over `customData` in filters. */
  readonly privateCustomData?: CustomData | null | undefined
  /** Feature id → whether the user opted in. Read by `optIn` filters. */
  readonly optIns?: Readonly<Record<string, boolean>> | undefined
}

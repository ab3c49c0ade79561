export {
  /** @internal Outside this package, only tests of documentation use it. */
  describeSettings,
  type Environment,
  parseBoolean,
  parseInteger,
  parseText,
  pickSettings,
  type Settings,
  UsageError,
  type Values
} from './setting.ts'

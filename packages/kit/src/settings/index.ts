export { choice, optionalChoice } from './choice.ts'
export {
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

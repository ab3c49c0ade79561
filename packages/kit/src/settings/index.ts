export { choice, optionalChoice } from './choice.ts'
export { parseAddress, parseOptionalAddress } from './parseAddress.ts'
export { programVariables } from './programVariables.ts'
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

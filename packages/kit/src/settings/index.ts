export { nearest } from './nearest.ts'
export { type Given, readSettings } from './readSettings.ts'
export {
  describeSettings,
  type Environment,
  parseInteger,
  parseOnOff,
  parseText,
  pickSettings,
  type Setting,
  type SettingRow,
  type Settings,
  UsageError,
  unknownVariables,
  type Values
} from './setting.ts'

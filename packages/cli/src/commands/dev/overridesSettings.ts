import { parseText, type Settings } from '@burgee/kit/settings'

/** The settings of commands that read or write overrides. */
export const overridesSettings = {
  overrides: {
    default: '.burgee/overrides.yaml',
    variable: false,
    placeholder: 'file',
    help: 'File of overrides, which is watched.',
    ignoresEmpty: true,
    parse: parseText
  }
} as const satisfies Settings

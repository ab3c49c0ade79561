export { endOfString, searchEndOfString } from './endOfString.ts'
export { findNearest, suggestion } from './findNearest.ts'
export { findRepeatedMember, searchRepeatedMember } from './findRepeatedMember.ts'
export { formatChoices } from './formatChoices.ts'
export { type DescribedIssue, describeIssues, formatIssues, formatOmitted, isSecretName } from './formatIssues.ts'
export { formatValue } from './formatValue.ts'
export { isMaskedUrl, maskUrl } from './maskUrl.ts'
export { measureJson } from './measureJson.ts'
export {
  escapeControlCharacters,
  escapeInvisibleCharacters,
  escapeLine,
  escapeUnicode,
  sanitizeLine
} from './sanitize.ts'
export { suggestProperty } from './suggestProperty.ts'
export { withoutTrailingSlashes } from './withoutTrailingSlashes.ts'

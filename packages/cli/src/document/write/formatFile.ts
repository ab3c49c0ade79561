import { isRecord } from '@burgee/kit'
import { escapeControlCharacters, isMaskedUrl } from '@burgee/kit/text'
import { Document, isPair, isScalar, Scalar, visit } from 'yaml'
import type { FileFormat } from '../fileFormats.ts'
import { formatPercentage } from '../percentage.ts'
import {
  type DocumentTarget,
  type Operator,
  type ProjectDocument,
  type Resource,
  SETTINGS_KEY,
  type Section,
  sectionNames
} from '../projectDocument.ts'

/** What a file contains besides resources. */
export interface FileHead {
  readonly project: string
  /** The address of the JSON Schema, for editors. */
  readonly schema: string
}

/**
 * Formats resources as a file. The same resources result in the same text, in which characters that control terminals
 * are escaped.
 */
export function formatFile(document: Partial<ProjectDocument>, head: FileHead, format: FileFormat): string {
  const content = { burgee: 1, project: head.project, ...toSections(document) }
  const text =
    format === 'json'
      ? JSON.stringify({ $schema: head.schema, ...content }, null, 2)
      : `# yaml-language-server: $schema=${head.schema}\n${formatYaml(content).trimEnd()}`
  return `${escapeControlCharacters(text)}\n`
}

function toSections(document: Partial<ProjectDocument>): object {
  const filled = sectionNames.filter((section) => Object.keys(document[section] ?? {}).length > 0)
  return Object.fromEntries(
    filled.map((section) => {
      const keys = Object.keys(document[section] ?? {}).sort()
      if (section === 'settings') return [section, formatResource(section, document.settings?.[SETTINGS_KEY] ?? {})]
      return [
        section,
        Object.fromEntries(keys.map((key) => [key, formatResource(section, document[section]?.[key] ?? {})]))
      ]
    })
  )
}

/** Formats a value as YAML. Words that YAML 1.1 takes for booleans are quoted, and strings that need escapes. */
function formatYaml(content: unknown): string {
  const yaml = new Document(content, { version: '1.2', aliasDuplicateObjects: false })
  visit(yaml, {
    Scalar: (_key, node) => {
      if (typeof node.value !== 'string') return
      const isPlain = escapeControlCharacters(node.value) === node.value && !AMBIGUOUS.test(node.value)
      if (!isPlain) node.type = Scalar.QUOTE_DOUBLE
    },
    Pair: (_key, pair) => {
      if (
        isPair(pair) &&
        isScalar(pair.value) &&
        typeof pair.value.value === 'string' &&
        pair.value.value.includes('\n')
      ) {
        pair.value.type = Scalar.BLOCK_LITERAL
      }
    },
    Seq: (_key, node) => {
      node.flow = node.items.every((item) => isScalar(item) && String(item.value).length < 40) && node.items.length <= 6
    }
  })
  return yaml.toString({ lineWidth: 0, flowCollectionPadding: false })
}

const AMBIGUOUS = /^(?:y|yes|n|no|on|off|true|false|null|~)$/i

/** Returns a resource as files write it. Members with empty values are left out. */
function formatResource(section: Section, resource: Resource): Resource {
  const shown = Object.entries(resource).flatMap(([name, value]) => {
    if (section === 'webhooks' && name === 'url' && hasSecret(resource)) return []
    const written = formatMember(section, [name], value)
    // Without maintainers, a new feature gets its creator.
    return isVoid(written) && name !== 'maintainers' ? [] : [[name, written] as const]
  })
  return Object.fromEntries(shown)
}

/** Whether the address of a webhook can contain a secret: that of a chat does, and servers mask it from some callers. */
function hasSecret({ url, format }: Resource): boolean {
  const { username, search } = new URL(String(url))
  return format === 'chat' || username !== '' || search !== '' || isMaskedUrl(String(url))
}

/** Whether a value is the default of a resource. */
function isVoid(value: unknown): boolean {
  if (value === undefined || value === '' || value === null) return true
  return Array.isArray(value) ? value.length === 0 : isRecord(value) && Object.keys(value).length === 0
}

/** Returns the value of a member as files write it. */
export function formatMember(section: Section, path: readonly string[], value: unknown): unknown {
  const [first, , third] = path
  if (first === 'for') return formatOperator(value as Operator)
  if (section !== 'features') return value
  if (first === 'environments') {
    if (third === 'targets') return (value as readonly DocumentTarget[]).map(formatTarget)
    if (third === undefined && isRecord(value)) {
      return mapMembers(value, (member, name) => formatMember(section, [...path, name], member))
    }
    return value
  }
  if (first === 'optIn' && path.length === 1 && isRecord(value)) return mapMembers(value, (member) => member)
  if ((first === 'variables' || first === 'variations') && path.length < 3 && isRecord(value)) {
    return mapMembers(value, (member, name) =>
      path.length === 1 ? formatMember(section, [...path, name], member) : member
    )
  }
  return value
}

/** Formats the members of an object, without those with empty values. */
function mapMembers(
  value: Readonly<Record<string, unknown>>,
  change: (member: unknown, name: string) => unknown
): object {
  const members = Object.entries(value).map(([name, member]) => [name, change(member, name)] as const)
  return Object.fromEntries(members.filter(([name, member]) => name === 'targets' || !isVoid(member)))
}

/** Returns a target as files write it. */
export function formatTarget({ name, id, for: operator, serve, rollout, bucketingKey }: DocumentTarget): object {
  const shares = Object.entries(serve)
  const [only] = shares
  const isWhole = shares.length === 1 && only !== undefined && only[1] === 1
  return {
    ...(name !== undefined && { name }),
    ...(id !== undefined && { id }),
    for: formatOperator(operator),
    serve: isWhole ? only[0] : Object.fromEntries(shares.map(([key, share]) => [key, formatPercentage(share)])),
    ...(rollout && {
      rollout: {
        type: rollout.type,
        startDate: rollout.startDate,
        ...(rollout.startPercentage !== undefined && { startPercentage: formatPercentage(rollout.startPercentage) }),
        ...(rollout.stages && {
          stages: rollout.stages.map(({ type, percentage, date }) => ({
            type,
            percentage: formatPercentage(percentage),
            date
          }))
        })
      }
    }),
    ...(bucketingKey !== undefined && { bucketingKey })
  }
}

function formatOperator(operator: Operator): unknown {
  if (operator.operator !== 'and') return operator
  const [only] = operator.filters
  const isAll = operator.filters.length === 1 && only !== undefined && 'type' in only && only.type === 'all'
  return isAll ? 'everybody' : operator.filters
}

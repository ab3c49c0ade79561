import { formatValue } from '@burgee/kit/text'
import { type Attribute, findAttribute } from './attribute.ts'
import { type ResourceSchema, withoutSchemaUrn } from './schemas.ts'
import { ScimError, type ScimErrorType } from './scimError.ts'
import { type Token, tokenize } from './tokenize.ts'

/** A parsed filter (RFC 7644 §3.4.2.2). */
export type Filter =
  | { readonly type: 'and' | 'or'; readonly filters: readonly Filter[] }
  | { readonly type: 'not'; readonly filter: Filter }
  | { readonly type: 'present'; readonly path: AttributePath }
  | {
      readonly type: 'compare'
      readonly path: AttributePath
      readonly operator: Operator
      readonly value: string | number | boolean | null
    }
  /** A value of a multi-valued attribute matches. */
  | { readonly type: 'some'; readonly attribute: Attribute; readonly filter: Filter }

/** An attribute, or an attribute and its sub-attribute. */
export type AttributePath = readonly [Attribute, Attribute?]

const operators = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const

/** The comparison operators. */
export type Operator = (typeof operators)[number]

/** The target of a patch operation: an attribute, some of its values, or a sub-attribute. */
export interface PatchPath {
  readonly attribute: Attribute
  readonly filter?: Filter
  readonly subAttribute?: Attribute
}

/** The attributes that a filter or path can refer to. */
type Scope = Pick<ResourceSchema, 'id' | 'allAttributes'>

/** Limits of filters. Identity providers send one or two comparisons. */
const MAX_LENGTH = 4096
const MAX_DEPTH = 20
const MAX_COMPARISONS = 50

/** Parses a filter. @throws {ScimError} `invalidFilter` */
export function parseFilter(text: string, schema: Scope): Filter {
  const parser = new FilterParser(text, schema, 'invalidFilter')
  const filter = parser.parseOr()
  parser.assertEnd()
  return filter
}

/**
 * Parses the path of a patch operation, for example `emails[type eq "work"].value`. @throws {ScimError} `invalidPath`
 */
export function parsePatchPath(text: string, schema: Scope): PatchPath {
  const parser = new FilterParser(text, schema, 'invalidPath')
  const path = parser.parsePatchPath()
  parser.assertEnd()
  return path
}

/** Resolves the name of an attribute, for example `name.familyName`. Returns undefined if there is none. */
export function findAttributePath(text: string, schema: Scope): AttributePath | undefined {
  const [name = '', subName, ...rest] = withoutSchemaUrn(text, schema).split('.')
  const attribute = findAttribute(schema.allAttributes, name)
  if (!attribute || rest.length > 0) return undefined
  if (subName === undefined) return [attribute]
  const subAttribute = findAttribute(attribute.subAttributes ?? [], subName)
  return subAttribute && [attribute, subAttribute]
}

/** A recursive descent parser; `and` binds more tightly than `or`. */
class FilterParser {
  readonly #text: string
  readonly #errorType: ScimErrorType
  readonly #tokens: readonly Token[]
  #scope: Scope
  #next = 0
  #depth = 0
  #comparisons = 0

  constructor(text: string, scope: Scope, errorType: ScimErrorType) {
    this.#text = text
    this.#scope = scope
    this.#errorType = errorType
    if (text.length > MAX_LENGTH) throw this.#error(`it has more than ${MAX_LENGTH} characters`)
    const tokens = tokenize(text)
    if (!tokens) throw this.#error('a string is not terminated, or has an invalid escape')
    this.#tokens = tokens
  }

  parseOr(): Filter {
    const filters = [this.#parseAnd()]
    while (this.#acceptWord('or')) filters.push(this.#parseAnd())
    return combine('or', filters)
  }

  parsePatchPath(): PatchPath {
    const [attribute, subAttribute] = this.#parseAttribute()
    if (subAttribute || !this.#accept('[')) return { attribute, ...(subAttribute ? { subAttribute } : {}) }
    const filter = this.#parseValueFilter(attribute)
    const rest = this.#tokens[this.#next]
    if (!rest) return { attribute, filter }
    const found =
      rest.type === 'word' && rest.text.startsWith('.')
        ? findAttribute(attribute.subAttributes ?? [], rest.text.slice(1))
        : undefined
    if (!found) throw this.#error(`"${rest.text}" is not a sub-attribute of ${attribute.name}`)
    this.#next++
    return { attribute, filter, subAttribute: found }
  }

  assertEnd(): void {
    const token = this.#tokens[this.#next]
    if (token) throw this.#error(`"${token.text}" is unexpected`)
  }

  #parseAnd(): Filter {
    const filters = [this.#parseTerm()]
    while (this.#acceptWord('and')) filters.push(this.#parseTerm())
    return combine('and', filters)
  }

  #parseTerm(): Filter {
    if (++this.#depth > MAX_DEPTH) throw this.#error(`it nests deeper than ${MAX_DEPTH} levels`)
    const filter = this.#parseNested()
    this.#depth--
    return filter
  }

  #parseNested(): Filter {
    if (this.#acceptWord('not')) {
      this.#expect('(')
      return { type: 'not', filter: this.#parseGroup() }
    }
    if (this.#accept('(')) return this.#parseGroup()
    if (++this.#comparisons > MAX_COMPARISONS) throw this.#error(`it has more than ${MAX_COMPARISONS} comparisons`)
    const path = this.#parseAttribute()
    const [attribute, subAttribute] = path
    if (!subAttribute && this.#accept('[')) {
      return { type: 'some', attribute, filter: this.#parseValueFilter(attribute) }
    }
    const word = this.#take()?.text.toLowerCase() ?? 'the end'
    if (word === 'pr') return { type: 'present', path }
    const operator = operators.find((one) => one === word)
    if (!operator) throw this.#error(`an operator (pr, ${operators.join(', ')}) should follow, got ${word}`)
    return { type: 'compare', path, operator, value: this.#parseLiteral(path, operator) }
  }

  #parseGroup(): Filter {
    const filter = this.parseOr()
    this.#expect(')')
    return filter
  }

  /** Parses the filter in brackets, which refers to sub-attributes. */
  #parseValueFilter({ name, subAttributes = [] }: Attribute): Filter {
    if (subAttributes.length === 0) throw this.#error(`${name} has no sub-attributes to filter by`)
    const outer = this.#scope
    this.#scope = { id: outer.id, allAttributes: subAttributes }
    const filter = this.parseOr()
    this.#expect(']')
    this.#scope = outer
    return filter
  }

  #parseAttribute(): AttributePath {
    const token = this.#take()
    const path = token?.type === 'word' ? findAttributePath(token.text, this.#scope) : undefined
    if (path) return path
    const names = this.#scope.allAttributes.map(({ name }) => name).join(', ')
    throw this.#error(
      `${token ? `"${token.text}" is not an attribute` : 'an attribute is missing at the end'}; known: ${names}`
    )
  }

  #parseLiteral(path: AttributePath, operator: Operator): string | number | boolean | null {
    const token = this.#take()
    if (token?.type !== 'literal') throw this.#error(`a value should follow ${operator}, such as "text"`)
    const { value } = token
    const { type } = comparedAttribute(path)
    const isOrder = ['gt', 'ge', 'lt', 'le'].includes(operator)
    if (type === 'boolean' && (isOrder || ['co', 'sw', 'ew'].includes(operator))) {
      throw this.#error(`${operator} does not apply to booleans`)
    }
    if (!['eq', 'ne'].includes(operator) && typeof value !== 'string') {
      throw this.#error(`${operator} should be followed by a string, got ${formatValue(value)}`)
    }
    return value
  }

  #acceptWord(word: string): boolean {
    const token = this.#tokens[this.#next]
    const isWord = token?.type === 'word' && token.text.toLowerCase() === word
    if (isWord) this.#next++
    return isWord
  }

  #accept(text: string): boolean {
    const token = this.#tokens[this.#next]
    const isAccepted = token?.type === 'bracket' && token.text === text
    if (isAccepted) this.#next++
    return isAccepted
  }

  #expect(text: string): void {
    if (this.#accept(text)) return
    throw this.#error(`"${text}" is missing before ${this.#tokens[this.#next]?.text ?? 'the end'}`)
  }

  #take(): Token | undefined {
    return this.#tokens[this.#next++]
  }

  #error(reason: string): ScimError {
    const kind = this.#errorType === 'invalidPath' ? 'path' : 'filter'
    return new ScimError(this.#errorType, `the ${kind} ${formatValue(this.#text)} is not valid: ${reason}`)
  }
}

/** The attribute whose values are compared: of a complex attribute, its sub-attribute `value`. */
export function comparedAttribute([attribute, subAttribute]: AttributePath): Attribute {
  if (subAttribute) return subAttribute
  return findAttribute(attribute.subAttributes ?? [], 'value') ?? attribute
}

function combine(type: 'and' | 'or', filters: readonly Filter[]): Filter {
  const [only] = filters
  return filters.length === 1 && only ? only : { type, filters }
}

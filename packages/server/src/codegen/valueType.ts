import type { Variable } from '@burgee/contract'
import { schemaType } from './schemaType.ts'
import { quoted, union } from './syntax.ts'

/** The TypeScript type of a variable's values. */
export function valueType({ type, validationSchema }: Pick<Variable, 'type' | 'validationSchema'>): string {
  switch (type) {
    case 'Boolean':
      return 'boolean'
    case 'String':
    case 'Number': {
      const plain = type === 'String' ? 'string' : 'number'
      if (validationSchema?.schemaType !== 'enum') return plain
      const fitting = validationSchema.enumValues.filter((value) => typeof value === plain)
      return fitting.length > 0 ? union(fitting.map((value) => quoted(value))) : plain
    }
    case 'JSON':
      return schemaType(validationSchema?.schemaType === 'jsonSchema' ? validationSchema.jsonSchema : '{}')
  }
}

import type { Variable } from '@burgee/contract/schemas'
import { generateSchemaType } from './generateSchemaType.ts'
import { formatLiteral, formatUnion } from './syntax.ts'

/** Returns the TypeScript type of the values of a variable. */
export function generateValueType({ type, validationSchema }: Pick<Variable, 'type' | 'validationSchema'>): string {
  switch (type) {
    case 'Boolean':
      return 'boolean'
    case 'String':
    case 'Number': {
      const plain = type === 'String' ? 'string' : 'number'
      if (validationSchema?.schemaType !== 'enum') return plain
      const members = validationSchema.enumValues.filter((value) => typeof value === plain)
      return members.length > 0 ? formatUnion(members.map((value) => formatLiteral(value))) : plain
    }
    case 'JSON':
      return generateSchemaType(validationSchema?.schemaType === 'jsonSchema' ? validationSchema.jsonSchema : '{}')
  }
}

import fc from 'fast-check'

const scalar = fc.constantFrom('a', 'b', 'c')

const values = fc.uniqueArray(scalar, { maxLength: 3 })

const filter = fc.record({ type: fc.constant('user'), subType: fc.constantFrom('email', 'country'), values })

const target = fc.record(
  {
    _id: fc.constantFrom('1', '2', '3', '4'),
    name: scalar,
    filters: fc.record({ operator: fc.constantFrom('and', 'or'), filters: fc.array(filter, { maxLength: 3 }) }),
    distribution: fc.array(fc.record({ _variation: scalar, percentage: fc.constantFrom(0.5, 1) }), { maxLength: 2 }),
    rollout: fc.record({ startDate: scalar })
  },
  { requiredKeys: ['_id', 'filters', 'distribution'] }
)

/** Versions of a document that is shaped like a feature, with few distinct values. */
export const version = fc.record(
  {
    status: scalar,
    name: scalar,
    tags: values,
    targets: fc.uniqueArray(target, { selector: ({ _id }) => _id, maxLength: 4 })
  },
  { requiredKeys: ['status', 'targets'] }
)

import { Field } from '@gatehouse/ui/fields/field.tsx'
import { Select } from '@gatehouse/ui/fields/select.tsx'
import { TextArea } from '@gatehouse/ui/fields/text-area.tsx'
import { useState } from 'react'
import { accountTexts } from '../messages/current.ts'
import { endDays, lifetimes, ownDate } from './pass-lifetime.ts'

type PassFieldsProps = {
  /** The origins at which a rule admits passes. */
  origins: readonly string[]
  timeZone: string
  errorAt: (name: string) => string | undefined
  readOnly: boolean
}

/** The fields that describe a new pass. */
export const PassFields = ({ origins, timeZone, errorAt, readOnly }: PassFieldsProps) => {
  const [lifetime, setLifetime] = useState(String(lifetimes[1]))
  const [ends] = useState(() => endDays(Date.now(), timeZone))
  const fieldOf = (name: 'name' | 'to' | 'methods' | 'from') => ({
    ...accountTexts.passes.add.fields[name],
    name,
    readOnly,
    error: errorAt(name),
  })
  const code = { autoCapitalize: 'none', autoComplete: 'off', spellCheck: false }
  return (
    <>
      <Field {...fieldOf('name')} autoComplete="off" maxLength={64} required />
      <TextArea
        {...fieldOf('to')}
        {...code}
        rows={origins.length > 2 ? 3 : 2}
        defaultValue={origins.map(origin => `${origin}/*`).join('\n')}
        required
      />
      <Field {...fieldOf('methods')} {...code} autoCapitalize="characters" />
      <Field {...fieldOf('from')} {...code} />
      <Select
        label={accountTexts.passes.add.days.label}
        name="days"
        value={lifetime}
        onChange={event => setLifetime(event.currentTarget.value)}
      >
        {lifetimes.map(days => (
          <option key={days} value={days}>
            {accountTexts.passes.add.days.of(days)}
          </option>
        ))}
        <option value={ownDate}>{accountTexts.passes.add.days.onDate}</option>
      </Select>
      {lifetime === ownDate && (
        <Field
          label={accountTexts.passes.add.date.label}
          caption={accountTexts.passes.add.date.caption}
          name="date"
          type="date"
          min={ends.first}
          max={ends.last}
          readOnly={readOnly}
          error={errorAt('date')}
          required
        />
      )}
    </>
  )
}

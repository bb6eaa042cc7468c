import { text } from '@gatehouse/language/text.ts'
import type { AdministrationMessages } from './administration-messages.ts'

/** The administration page's section about passes, in English. */
export const englishAdministeredPasses: AdministrationMessages['passes'] = {
  title: 'Passes',
  titleOf: text('Passes of {owner}', 'owner'),
  titleOfGone: 'Passes of this owner',
  text: 'A pass lets a program reach protected applications without a browser. Users create theirs on the account page. Create passes for services here.',
  noRule: 'No rule admits passes, so no pass opens anything.',
  full: text('Services have {most, plural, one {# pass} other {# passes}}, the most allowed. End one to create another.', 'most'),
  back: 'All passes',
  openUser: 'Open user',
  search: 'Search by name or owner',
  clear: 'Clear',
  found: text('{count, plural, one {# pass} other {# passes}}', 'count'),
  filtersLabel: 'Show',
  filters: { All: 'All passes', Users: 'Of users', Services: 'Of services' },
  columns: { name: 'Name', owner: 'Owner', scope: 'Opens', used: 'Last used', expires: 'Ends', end: 'End' },
  list: 'Passes',
  service: text('Service {name}', 'name'),
  empty: 'No passes.',
  emptySearch: text('No pass or owner contains ‘{search}’.', 'search'),
  next: 'Next page',
  first: 'First page',
  endOf: text('End pass {name} of {owner}', 'name', 'owner'),

  acts: {
    addPass: {
      button: 'Create pass',
      title: 'Create a pass for a service',
      text: [
        'Programs that have the pass can reach these applications, so limit it to what the service needs.',
        'Administrators are notified by email. This is recorded in the audit log.',
      ],
      service: { label: 'Service', caption: 'For example, ‘prometheus’' },
      serviceWrong: 'Enter lower-case letters, digits and dashes, such as ‘prometheus’.',
      running: 'Creating the pass',
    },
    shown: { title: 'Copy the pass' },
    endPass: {
      button: 'End pass',
      title: text('End ‘{name}’?', 'name'),
      text: ['Programs that use it lose access immediately, on all servers.', 'This is recorded in the audit log.'],
      done: text('The pass {name} was ended.', 'name'),
    },
    endPasses: {
      button: 'End all passes',
      title: text('End all passes of {owner}', 'owner'),
      text: ['Programs that use them lose access immediately, on all servers.', 'This is recorded in the audit log.'],
      done: text('All passes of {owner} were ended.', 'owner'),
    },
    running: 'Working…',
  },
}

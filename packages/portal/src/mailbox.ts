// The styles of the mailbox, and of the parts it stands on; it has no script.
import './main.tsx'
import './mailbox.css'

"""A true claim may shorten a reserve or a denial away, or put it in words of its own: code lets it pass."""

from __future__ import annotations

from datetime import date

import pytest

from lithify.values import Claim, Entry
from lithify.verify import ShownEntries
from lithify.verify.trace import trace

DAY = date(2026, 4, 7)

#: What a source says, and claims that follow from it.
TRUE: dict[str, list[str]] = {
    "Ada did not approve the budget of 5,000 EUR for the new scanner, since the old one still works well.": [
        "Ada rejected the budget of 5,000 EUR.",
        "No approval from Ada for the 5,000 EUR scanner budget.",
        "The old scanner still works well.",
    ],
    "Ada approved the budget of 5,000 EUR for the new scanner, since the old one may break.": [
        "Ada approved the budget of 5,000 EUR for the new scanner.",
        "Ada approved 5,000 EUR.",
    ],
    "Siemens may cancel the contract over the late delivery of 40 pumps to the plant in Graz.": [
        "Siemens threatens to cancel the contract for 40 pumps.",
        "The delivery of 40 pumps to Graz is late.",
        "Siemens has a contract for 40 pumps.",
    ],
    "Tom might leave the team on 1 May and go to Oslo for a year of study at the university there.": [
        "Tom may go to Oslo for a year.",
    ],
    "The vendor plans to raise the fee to 12% next year": [
        "Vendor to raise the fee to 12%.",
        "The vendor will raise the fee to 12%.",
    ],
    "Nobody reviewed the patch for CVE-2026-1234": [
        "The patch for CVE-2026-1234 was not reviewed.",
        "The patch for CVE-2026-1234 is unreviewed.",
    ],
    "Ada did not approve the budget until Friday, when the third quote came in.": [
        "Ada approved the budget.",
    ],
    "Ada did not approve the budget on Monday; she approved it on Friday.": [
        "Ada approved the budget.",
    ],
    "Do not use the red valve, use the blue valve for the acid line.": [
        "Use the blue valve for the acid line.",
    ],
    "Not all tests passed on the new runner, 12 of 40 broke.": [
        "12 of 40 tests broke on the new runner.",
    ],
    "The manual of the scanner, all 220 pages, may be outdated.": [
        "The manual of the scanner has 220 pages.",
    ],
    "Not only Tom but also Ada signed the contract with Bosch.": [
        "Tom and Ada signed the contract with Bosch.",
    ],
    "The planned migration to Postgres took three days and cost 400 EUR.": [
        "The migration to Postgres took three days.",
    ],
    "The cause was not the cache but a full disk on the host in Linz.": [
        "The cause was a full disk on the host in Linz.",
    ],
    "Tom left the team on 1 May, and Ada might follow him in the autumn.": [
        "Tom left the team on 1 May.",
    ],
    "Karim fixed the valve and nobody complained about the noise since.": [
        "Karim fixed the valve.",
    ],
    "If a test fails on the runner, rerun it once before calling Priya.": [
        "Failed tests are rerun once before calling Priya.",
    ],
    "No decision was made on the depot in Graz, the board meets again in June.": [
        "The decision on the depot in Graz is pending.",
    ],
    "Shipped release 2.4 without waiting for the translations, which may take until June.": [
        "Shipped release 2.4.",
    ],
    "The build doesn't pass on Windows since the upgrade of the compiler.": [
        "The build fails on Windows since the upgrade of the compiler.",
    ],
    "Delivered no later than 3 May: the 40 pumps for the plant in Graz.": [
        "The 40 pumps for the plant in Graz were delivered.",
    ],
    "Ravi cannot reach the host in Linz, the VPN key expired on Sunday.": [
        "The VPN key of Ravi expired on Sunday.",
    ],
    "Unconfirmed: Dell bought the Graz plant for 9 million EUR, according to a man at the fair in Linz.": [
        "A man at the fair in Linz says Dell bought the Graz plant.",
    ],
    "Jonas restarted the queue; it might need more memory, he thinks.": [
        "Jonas restarted the queue.",
    ],
    "Marta never sent the invoice to Bosch, the draft is still in her mailbox.": [
        "The invoice to Bosch is unsent in Marta's mailbox.",
    ],
    "The release of 2.4, which adds single sign-on, is planned for 3 May.": [
        "Release 2.4 adds single sign-on.",
    ],
    "Lena no longer works on the importer; Tomasz works on the importer now.": [
        "Tomasz works on the importer.",
    ],
    "Bruno wants to sell the old lathe to the school in Wels before the summer.": [
        "Bruno offers the old lathe to the school in Wels.",
    ],
    "Hofer may not renew the licence for the dosing software when it runs out in September.": [
        "The licence for the dosing software runs out in September.",
    ],
    "Couldn't reproduce the memory leak on the staging host, even after 40 runs with Karim's script.": [
        "Memory leak not reproduced on staging in 40 runs.",
    ],
    "The new seal on pump 3 seems to hold at 6 bar, said Jonas after an hour.": [
        "Jonas believes the new seal on pump 3 holds at 6 bar.",
    ],
    "Elif intends to drop the Redis cache from the importer once the new index is in place.": [
        "Elif's plan: drop the Redis cache once the new index is in place.",
    ],
    "Tentatively booked the hall in Steyr for 12 June; the caretaker calls back on Monday.": [
        "Hall in Steyr booked provisionally for 12 June.",
    ],
    "No one told Beatriz about the change to the delivery route, so she waited at the old gate.": [
        "Beatriz waited at the old gate, unaware of the changed delivery route.",
    ],
    "The insurer has not paid the 3,400 EUR for the water damage in the archive yet.": [
        "The insurer still owes 3,400 EUR for the water damage.",
    ],
    "Fixed the login loop on Safari; could not test it on the old iPad.": [
        "Fixed the login loop on Safari.",
    ],
    "Decided to move the invoice export to a nightly batch because the live one may time out.": [
        "Invoice export moved to a nightly batch.",
    ],
    "Never restart the queue by hand: it loses the jobs in flight.": [
        "Restarting the queue by hand loses the jobs in flight.",
        "The queue must not be restarted by hand.",
    ],
    "Tom cannot attend the review on 3 May, Ada will attend the review for him.": [
        "Ada attends the review for Tom.",
    ],
    "The disk did not fail; the cable failed after the move to the new rack.": [
        "The cable failed after the move to the new rack.",
    ],
    "Bosch delivered 38 of 40 pumps, the last two may come in May.": [
        "Bosch delivered 38 of 40 pumps.",
    ],
    "There was no frost this week and the seedlings came out on Thursday.": [
        "The seedlings came out.",
    ],
    "Priya does not want alerts at night, only a digest at seven.": [
        "Priya wants a digest at seven.",
    ],
    "Ran the load test without the cache and got 400 requests a second.": [
        "The load test got 400 requests a second.",
    ],
    "The tender closes on 9 June; Ravi thinks we can win it with the Linz reference.": [
        "The tender closes on 9 June.",
    ],
    "Mehmet did not sign the lease because the roof leaks; repairs would cost 12,000 EUR.": [
        "Mehmet declined the lease over the leaking roof.",
    ],
    "We no longer support Python 3.9 as of release 2.4.": [
        "Support for Python 3.9 ended with release 2.4.",
    ],
    "Ada wants to know why the scan took 40 minutes, it usually takes ten.": [
        "The scan took 40 minutes instead of the usual ten.",
    ],
    "Removed the unused flag; nothing broke in the nightly run.": [
        "Removed the unused flag.",
    ],
    "Had to restart the broker twice, since it would not accept new jobs.": [
        "Restarted the broker twice.",
    ],
    "Karim should check the valve weekly, and he checked the valve on Tuesday.": [
        "Karim checked the valve.",
    ],
    "The printer is not in room 12 but in room 14, next to the kitchen.": [
        "The printer is in room 14.",
    ],
    "Zoe probably leaves the choir after the summer concert in Melk.": [
        "Zoe is likely to leave the choir.",
        "The choir has its summer concert in Melk.",
    ],
    "The city hasn't granted the permit for the pier, the hearing was moved to 2 June.": [
        "Pier permit hearing moved to 2 June.",
        "The permit for the pier is outstanding; the hearing was moved to 2 June.",
    ],
    "Without a signed form Dr. Weiss did not release the samples to the lab in Brno.": [
        "Dr. Weiss withheld the samples from the lab in Brno.",
    ],
    "Agnes tried to reach the notary three times but only got the machine.": [
        "Agnes called the notary three times in vain.",
    ],
    "The new index should be ready by Wednesday, Yusuf estimates.": [
        "New index due, per Yusuf.",
    ],
    "Hana cannot confirm the booking for 30 guests at the lodge.": [
        "The booking for 30 guests is unconfirmed.",
    ],
    "Replaced the fuse, and the pump has not tripped since.": [
        "Replaced the fuse of the pump.",
    ],
    "Switched to the Linz mirror because the Graz mirror might go offline at night.": [
        "Switched to the Linz mirror.",
    ],
    "Petra won't extend the lease of the kiosk beyond December.": [
        "The lease of the kiosk ends in December.",
        "Petra lets the kiosk lease run out.",
    ],
    "Found no errors in the 220 invoices of March and sent them to the auditor.": [
        "Sent the 220 invoices of March to the auditor.",
    ],
    "The importer didn't crash this time; it handled 1,240 rows a minute.": [
        "The importer handled 1,240 rows a minute.",
    ],
    "Ravi will present the numbers on 9 June, he prepared the slides on Tuesday.": [
        "Ravi prepared the slides.",
    ],
    "Must keep the old API until June because Nokia has not migrated its clients.": [
        "The old API is kept until June because of Nokia.",
    ],
    "Asked Karim to order 12 filters; he ordered them the same day.": [
        "Karim ordered 12 filters.",
    ],
    "Agreed with Lena not to change the schema before the audit.": [
        "Lena agreed: no schema change before the audit.",
    ],
    "Nothing but the gasket was damaged, so Moritz replaced the gasket for 14 EUR.": [
        "Moritz replaced the damaged gasket for 14 EUR.",
    ],
    "The alarm was not a false one: smoke came from the switch cabinet.": [
        "Smoke came from the switch cabinet.",
    ],
    "Could finally log in to the bank portal and paid the Voest invoice.": [
        "Paid the Voest invoice.",
    ],
    "Moved the demo to 12 June since Bosch can't come on the 9th.": [
        "The demo was moved to 12 June.",
    ],
    "It took no time to restore the dump from Sunday, about 4 minutes.": [
        "Restoring the dump from Sunday took about 4 minutes.",
    ],
    "Tested 40 sensors; 2 did not pass and went back to the supplier.": [
        "40 sensors were tested; 2 went back to the supplier.",
    ],
    "Sven is thinking of selling his share in the sawmill to a cousin from Murau.": [
        "Sven considers selling his share in the sawmill.",
    ],
    "The lab has yet to return the water samples from well 9.": [
        "Water samples from well 9 are still at the lab.",
    ],
    "The bank might extend the credit line to 80,000 EUR if the audit goes well.": [
        "A credit line of 80,000 EUR hinges on the audit.",
    ],
    "Gert was not at the handover of the crane on Monday, his train was late.": [
        "Gert missed the handover of the crane.",
    ],
    "There are no spare fuses for the tram in the Linz depot.": [
        "The Linz depot has run out of spare fuses for the tram.",
    ],
    "The patch doesn't fix the race in the scheduler, Lin showed with a trace.": [
        "Lin showed with a trace that the race in the scheduler persists.",
    ],
    "The auditors found nothing wrong with the cash book of the canteen.": [
        "The auditors cleared the cash book of the canteen.",
    ],
    "Rudi isn't allowed to drive the forklift until he has the licence.": [
        "Rudi needs the licence to drive the forklift.",
    ],
    "Merged the parser branch, which nobody had reviewed since March.": [
        "Merged the parser branch.",
    ],
    "Paid Voest 4,200 EUR; the second invoice is not due before July.": [
        "Paid Voest 4,200 EUR.",
    ],
    "The roof over hall 2 is tight again, although the gutter may still drip.": [
        "The roof over hall 2 is tight again.",
    ],
    "Replaced not one but three of the valves on line 5.": [
        "Replaced three valves on line 5.",
    ],
    "Iris will not attend the fair in Wels because her visa is late.": [
        "Iris skips the fair in Wels over a late visa.",
    ],
    "Chose Hetzner, as the other two could not offer a server in Graz.": [
        "Chose Hetzner.",
    ],
    "Lin closed ticket 88 without a fix, since it could not be reproduced.": [
        "Lin closed ticket 88 as not reproducible.",
    ],
    "If the pressure falls below 2 bar, close valve 3 and call Moritz.": [
        "Close valve 3 and call Moritz at a pressure below 2 bar.",
    ],
}


@pytest.mark.parametrize(("source", "claim"), [(s, c) for s, cs in TRUE.items() for c in cs])
def test_a_true_claim_that_shortens_is_not_refused(source: str, claim: str) -> None:
    entry = Entry(f"{DAY}~{'0' * 12}", source, day=DAY)
    assert trace(Claim(claim, (entry.id,)), ShownEntries.of([entry]))[1] == ()

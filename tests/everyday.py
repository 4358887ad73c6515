"""Days as people keep them: work, home, code, health and travel, in several languages and shapes.

Each root is a mapping from day to the text of its file. Two weeks of one month each.
"""

from __future__ import annotations

from collections.abc import Mapping

ENGLISH: Mapping[str, str] = {
    "2026-05-04": """# Monday

## Work
- 09:00 Standup moved to 10:00
- Decision: invoices go out on the 3rd of each month, because the bank posts on the 2nd.
- [ ] Send Halima the signed lease
- Blocked: the test printer needs a new drum, Olek ordered one.
- met w/ facilities re badge readers, they replace the ones on floor 2 first

## Home
- Dishwasher leaks again. Plumber on Thursday at 14:30, ask for Ms Brandt; she knows the valve.
- We agreed on no screens at dinner.
- Swim club fee is 84 euros, due on 12 May.
""",
    "2026-05-05": """# Tuesday

## Work
- Shipped the new price list; Halima checked all 212 rows.
- Grete said: "No discount above 15 %. Not for anyone. Ask me first." I told the team.
- I think the warehouse count is wrong, could be the returns, not confirmed yet.
- See [the count sheet](https://example.com/count/may) and [notes](#notes).

## Code
- Renamed `load_rows()` to `read_rows()` in `src/io/rows.py`, commit 4be19c2.
- The nightly import takes 38 minutes.
- Always run make lint before a push

```python
def read_rows(path):
    return list(open(path))
```
""",
    "2026-05-07": """# Thursday

- Plumber came at 14:40, replaced the valve, 96 euros, receipt in the blue folder.
- ok
- Knee: physio says six weeks, exercises twice a day, no running until 18 June
- Dr. Okafor changed the dose from 20 mg to 10 mg. Next blood test tomorrow at 08:15.

| Room | Before | After |
|---|---|---|
| Kitchen | 412 kWh | 388 kWh |
| Office | 190 kWh | 203 kWh |

> Forwarded: the landlord writes that the lift is out of order from 20 May to 3 June.
""",
    "2026-05-09": """# Saturday

a long walk along the canal then tea at the mill and home before the rain came nothing else really

The old bike is sold, 140 euros to a student from Ghent who came by train, tried both gears, asked
about the lamp, went round the yard twice, came back with wet shoes, talked about her thesis on
eels and weirs for half an hour, paid in coins and small notes, and left with the pump, the lock,
the basket and the spare tube, although we had only promised her the lock; I did not mind.
""",
    "2026-05-12": """# Tuesday

## Work
- [x] Send Halima the signed lease
- Drum arrived, printer runs again; Olek fitted it in ten minutes.
- Never quote delivery dates by phone: twice now we were held to them.
- TODO: renew the fire certificate before 30 June
- Lesson: ask for the order number first.

## Code
- The nightly import takes 22 minutes since the index is there.
- CI red on `main`: `tests/test_rows.py::test_empty` fails with `IndexError: list index out of range`
- Fixed it: an empty file gives an empty list. PR #88, merged.
""",
    "2026-05-14": """# Thursday

## Travel
- Train to Turin: 7:52 from platform 4, change in Lyon, seat 61 in coach 8. Booking QX7L2P.
- Hotel asks for a card on arrival; breakfast until 10.
- Outstanding:
  - visa photo for Ines
  - who feeds the cat from 22 to 26 May?
- Swim club fee paid.
- Grete: "I want the offer in one page, or I will not read it."
""",
}

GERMAN: Mapping[str, str] = {
    "2026-05-04": """# Montag, 4. Mai 2026

## Büro
- Niemals freitags deployen
- Entscheidung: Rechnungen gehen ab Juni am Dritten raus, weil die Bank am Zweiten bucht.
- Blockiert: Das Zertifikat der Testumgebung ist abgelaufen, Jörg kümmert sich.
- [ ] Mietvertrag an Frau Özdemir schicken
- Frau Lindqvist sagt: „Kein Rabatt über 15 %. Für niemanden." Ich habe es weitergegeben.

## Zuhause
- Waschmaschine tropft, Installateur kommt am Donnerstag um 14:30 Uhr.
- Zahnarzt: Kontrolle am 18. Juni, 8:15 Uhr, Praxis Dr. Behrens.
""",
    "2026-05-06": """# Mittwoch, 6. Mai 2026

- Der Import dauert jetzt 22 Minuten, vorher waren es 38.
- Offen: Wer gießt im Urlaub die Tomaten?
- Version 3.2.1 ausgeliefert, Merle hat abgenommen; 212 Zeilen geprüft.
- Zug nach Turin: 7:52 Uhr, Gleis 4, Wagen 8, Platz 61.
- gar nichts los heute
""",
    "2026-05-13": """# Mittwoch, 13. Mai 2026

- [x] Mietvertrag an Frau Özdemir schicken
- Das Fahrrad ist verkauft, 140 Euro, an eine Studentin aus Gent, die zweimal um den Hof fuhr.
- Erledigt: Zertifikat erneuert, gültig bis 2027.
""",
}

FRENCH_AND_SPANISH: Mapping[str, str] = {
    "2026-05-04": """# Lundi

- Décision : les factures partent le 3 du mois, parce que la banque comptabilise le 2.
- Bloqué : l'imprimante d'essai attend un nouveau tambour, Olek l'a commandé.
- [ ] Envoyer le bail signé à Halima
- Le lave-vaisselle fuit encore, plombier jeudi à 14h30.
- « Pas de remise au-delà de 15 %, pour personne », dit Grete.
- Ne jamais annoncer une date de livraison par téléphone.
""",
    "2026-05-06": """# Miércoles

- Decisión: el almacén cierra los viernes a las 15:00 desde junio.
- Pendiente: renovar el certificado de incendios antes del 30 de junio
- Se vendió la bicicleta por 140 euros a una estudiante de Gante.
- El médico bajó la dosis de 20 mg a 10 mg; próxima cita el 18 de junio.
- Nunca reinicies la cola a mano: se pierden los trabajos en curso.
""",
    "2026-05-12": """# Mardi

- [x] Envoyer le bail signé à Halima
- L'importation de nuit prend 22 minutes au lieu de 38.
- Train pour Turin : 7h52, voie 4, voiture 8, place 61.
- La nouvelle grille de prix est en ligne, 212 lignes vérifiées par Halima.
""",
}

EAST_ASIAN: Mapping[str, str] = {
    "2026-05-04": """# 2026年5月4日

- 决定：供应商培训改为每月一次
- 测试环境的证书已经过期，需要等运维同事更新以后才能继续部署。
- [ ] 把签好的租约寄给哈利玛
- 洗碗机又漏水了，水管工星期四下午两点半来。
- 不要手动重启队列，否则正在运行的任务会全部丢失。
- 医生说：“每天做两次练习，六周内不要跑步。”
""",
    "2026-05-06": """# 2026年5月6日

- 夜间导入现在需要22分钟，以前是38分钟。
- 課題：火災証明書を6月30日までに更新する
- 決定：請求書は毎月3日に送る。銀行が2日に記帳するため。
- 自転車を140ユーロで学生に売った。
- 田中さん：「値引きは15％まで。例外なし。」
- トリノ行きの電車は7時52分、4番線、8号車61番。
""",
    "2026-05-13": """# 2026年5月13日

- [x] 把签好的租约寄给哈利玛
- 完了：プリンターのドラムを交換した。十分で終わった。
- 发布了3.2.1版本，哈利玛检查了全部212行。
- 金曜日の午後は絶対にリリースしない
""",
}

MIXED: Mapping[str, str] = {
    "2026-05-04": """# 4 мая

- Решение: счета отправляем третьего числа, потому что банк проводит платежи второго.
- Нельзя обещать сроки доставки по телефону.
- Велосипед продан за 140 евро студентке из Гента.
- القرار: تُرسل الفواتير في اليوم الثالث من كل شهر.
- غسالة الصحون تسرب الماء، السباك يأتي يوم الخميس الساعة 14:30.
- لا تعد تشغيل قائمة الانتظار يدويا.
""",
    "2026-05-05": """# Notes

- Standup: Jörg will das Release am Donnerstag, Mei 说周五之前不行, so Thursday it is.
- Open: who tells 田中さん about the new price list?
- `git push --force` 禁止 auf `main`, agreed with everyone.
- 🚧 migrate the calendar
- ✅ migrate the address book
- https://example.com/a/b?c=1#d
- Ночной импорт занимает 38 минут.
""",
    "2026-05-12": """# Notes

- Ночной импорт занимает 22 минуты.
- ☑ migrate the calendar
- Décidé: pas de réunion le vendredi; Halima hat zugestimmt.
- Mama's birthday: cake for 12, no nuts (Ines), candles are in the top drawer
- وصلت الأسطوانة والطابعة تعمل من جديد.
""",
}

TALK: Mapping[str, str] = {
    "2026-05-04": """## Session 1

- Ana: I finally booked the pottery class, it starts on Saturday at ten.
- Ben: Nice! Which studio did you pick?
- Ana: The one on Quay Street. The teacher is called Wim and he lived in Kyoto for years.
- Ben: My sister Ruth did a glazing course there. She still has the blue bowl.
- Ana: I want to make a bowl for my mother's birthday in June.
- Ben: I am training for the half marathon in Ostend, 14 km last Sunday.
- Ana: Wow! How is the knee?
- Ben: Better since the new shoes. The physio told me to rest on Mondays.
""",
    "2026-05-10": """## Session 2

- Ben: How was the pottery class?
- Ana: Wet and wonderful. My first bowl collapsed, the second one is drying now.
- Ben: I ran 17 km yesterday, in the rain, with Ruth on her bicycle beside me.
- Ana: Wim says the kiln is fired on the last Friday of the month.
- Ben: I may come along in June, if the half marathon goes well.
""",
}

ROOTS: Mapping[str, Mapping[str, str]] = {
    "english": ENGLISH,
    "german": GERMAN,
    "french-spanish": FRENCH_AND_SPANISH,
    "east-asian": EAST_ASIAN,
    "mixed": MIXED,
    "talk": TALK,
}

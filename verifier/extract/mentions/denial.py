"""Whether a sentence denies that a name exists.

Needs a negator and a word of existence in one clause (or in the next one, pointing back: "that name does not
exist"). `没有使用 X`, `did not use X`, `X is not fast` deny nothing; `X 没有被移除` affirms.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache

_REACH = 70
_THING_ZH = (
    r"(?:名字|名称|函数|方法|接口|类|模块|参数|层|优化器|回调|写法|符号|API|api|东西|属性|装饰器"
    r"|用法|损失函数|实现)"
)
_THING_EN = (
    r"(?:function|method|class|module|name|layer|argument|parameter|attribute|API|api|symbol|thing"
    r"|optimizer|callback|op"
    r"|keyword|loss|metric|property|decorator|initializer|submodule|endpoint|strategy|option|helper)"
)

_NAMELY = (
    rf"(?:叫做?|名为|名叫|叫作|所谓的?|提供|实现|内置|自带|现成的|原生的?|任何|直接的|专门的|这个"
    rf"|一个|个|\s|`|“|\"|{_THING_ZH})*"
)
_BEFORE_ZH = re.compile(
    rf"(?P<cue>(?:(?<![有并是])(?:根本|其实|压根|也|还|都|里|中|从来|仍然|目前|现在)?并?(?:没有"
    rf"|没)(?!有没)|不存在|并无|查无|缺少|缺乏|不再有|不再提供|不再支持"
    rf"|不再包含|不提供|不支持|不包含|找不到|已经?(?:移除|删除|删掉|去掉|取消|废除|砍掉)了?|(?:移除"
    rf"|删除|删掉|去掉|取消|砍掉)了"
    rf"|(?:不要|别|不能|不该|不应该?|切勿|误|错)(?:写|拼|打|叫|记|当)[成作为]?了?|(?:误|错)(?:写"
    rf"|拼)[成作为])){_NAMELY}$"
)
_AFTER_ZH = re.compile(
    rf"^(?:[（(][^（）()]{{0,40}}[)）])?\s*[`”\"'’]?\s*(?:这一?个?|该|此|整个"
    rf"|等)?\s*{_THING_ZH}?\s*(?P<filler>(?:也|都|就|早就|早已|已经|已|同样|其实|现在)*\s*(?:在\s?[^，。；、]{{1,24}}?(?:里|中|上|版本|之后|以后"
    rf"|起)?(?:都|就)?"
    r"|从\s?[^，。；、]{1,16}?(?:开始|起)|自\s?[^，。；、]{1,12}?(?:起|以后|之后|开始)?"
    r"|到了?\s?[^，。；、]{1,12}?|于\s?[^，。；、]{1,10}?)?\s*"
    r"(?:早就|早已|已经|已|现在|如今|目前|都|也|其实|根本|压根|实际上?|事实上|并|从来|后来|随后"
    r"|最终|一直|全部|统统|先?被弃用并|先?弃用并|被废弃并|彻底|完全|就|整个|可能|后|是)*)\s*"
    r"(?P<cue>(?:被|给)?(?:官方)?(?:移除|删除|删掉|去掉|去除|废除|取消|下线|拿掉|移走|移出|剔除"
    r"|淘汰|砍掉|清除)|不存在|不复存在|没有了|没了|不能(?:再)?用了"
    r"|不能再用|用不了|不再(?:支持|提供|存在|可用|能用|包含|保留|有)|不可用|找不到|消失"
    r"|未被?收录|从未收录|查无此|无此"
    rf"|没有这个?{_THING_ZH}|没有此{_THING_ZH}|没有(?=(?:了)?\s*[，。；！]|$)|(?:是)?(?:虚构|编造"
    rf"|臆造|杜撰|不存在)"
    rf"|不是\s?(?:TensorFlow|TF|tf|Keras|keras|官方|真正|真实|内置|有效)[^，。；]{{0,8}}{_THING_ZH}"
    r"|(?:已经?)?(?:改名|更名|重命名)(?:为|成)?了?|(?:迁移|移|搬|挪|合并)(?:动)?到了?)"
)
_AFTER_EN = re.compile(
    rf"^(?:\([^()]{{0,60}}\))?[`”\"'’)]*(?:\s+{_THING_EN}s?\b)?(?:,?\s+(?:which|that"
    rf"|it))?,?\s+(?P<filler>(?:(?:has|have|had|was|were|is|are|be|been|being|got|get"
    r"|since|now|already|completely|entirely|finally|long|simply|also|both|all|just|actually"
    r"|really|then|later|too|there|deprecated and|deprecated, then)\s+)*)"
    r"(?P<cue>removed|dropped|deleted|gone|retired|withdrawn|taken out|eliminated|discontinued"
    r"|went away|go away|disappeared|vanished"
    r"|no longer (?:exists?|available|supported|works?|there|part of|in|present|offered|exported"
    r"|shipped|provided|a |an )"
    r"|(?:does|do|did) ?n['o’]t exist|(?:does|do|did) not (?:\w+ )?exist|doesn['’]t exist"
    r"|don['’]t exist|never existed|do not exist"
    r"|(?:not|n['’]t) (?:\w+ )?(?:available|part of|there|in (?:tensorflow|keras|tf)|present"
    r"|exported|found|defined|included|provided|offered"
    rf"|real|an? (?:real |valid |actual |public |tensorflow |tf |keras )*{_THING_EN}\b|an? thing)"
    r"|isn['’]t (?:available|part of|there|in (?:tensorflow|keras|tf)|present|exported|real"
    rf"|an? (?:real |valid |tensorflow |keras )*{_THING_EN}\b|a thing)"
    r"|made up|invented|fictitious|imaginary|hallucinated|non-?existent"
    r"|missing(?: from)?(?= (?:from )?(?:tensorflow|tf|keras|2|the (?:api|library))|[.,;]|$)"
    r"|renamed|moved (?:to|into)|nowhere|(?:does|do|did)(?: not|n['’]t)(?=\s*[.,;:!?\"”)]|$))(?![A-Za-z])",
    re.IGNORECASE,
)
_CALLED_EN = (
    r"(?:(?:public|built-?in|native|such|ready-made|dedicated|direct|single"
    r"|official)\s+)*(?:(?:thing|function) as\s+)?(?:an?\s+|the\s+|any\s+)*"
    rf"(?:(?:[a-z-]+\s+)?{_THING_EN}s?\s+)?(?:(?:called|named|like|as|spelled"
    rf"|by the name(?: of)?)\s+)?(?:an?\s+)?[`“\"']?$"
)
_BEFORE_EN = re.compile(
    r"(?P<cue>there (?:is|was|are|'s|’s) (?:\w+ )?(?:no|not an?|never an?)"
    r"|there['’]s (?:\w+ )?(?:no|not an?)|\b(?:has|have|had|with) (?:\w+ )?no|there (?:is"
    r"|are)n['’]t(?: any| an?)?"
    r"|\blacks?|\b(?:does|do|did)(?: not|n['’]t) (?:\w+ )?(?:have|provide|offer|include|ship"
    r"|contain|export|know|define|come with|expose|support)"
    r"|\bno longer (?:has|have|provides?|offers?|includes?|ships?|supports?|exports?|contains?)"
    r"|\bnever (?:had|provided|offered|shipped|included)"
    r"|\b(?:removed|removes|dropped|drops|deleted|deletes|got rid of|gets rid of|took out"
    r"|eliminated|retired|discontinued)"
    r"|\b(?:don['’]t|do not|never) (?:write|spell|type)(?: it)?(?: as)?|\bno)\s+" + _CALLED_EN,
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(
    rf"^\W*(?:(?:但是?|可是?|不过|其实|实际上|事实上|然而|而|所以|因为|官方|顶层|核心库|里面"
    rf"|TensorFlow|TF|Keras|tf|库里?|它|他|这个?{_THING_ZH}?|该{_THING_ZH}|此{_THING_ZH}"
    rf"|并|已经?|早就|早已|后来|现在|目前|到了?\s?[0-9.x]+|从\s?[0-9.x]+\s?(?:开始|起)"
    rf"|在\s?[0-9.x]+\s?(?:中|里)?|根本|压根|也|都|就|里|中|\s)*)"
    rf"(?P<cue>没有(?:这个|该|此|这样的?|这种|这么个|叫这个的){_THING_ZH}?|不存在|被(?:移除|删除"
    rf"|删掉|去掉|取消)|没了|没有了|消失|不能用了|查无此|无此|是(?:虚构|编造|臆造|杜撰))"
    rf"|^\W*(?:(?:but|and|so|though|although|however|because|since|as|which|that|it|this|they|these"
    rf"|actually|in fact|now|both|all)\s+)*"
    rf"(?P<cue2>there (?:is|was) no such (?:{_THING_EN}|thing)|no such {_THING_EN} exists?|(?:has"
    rf"|have) no such {_THING_EN}"
    r"|(?:does|do|did)(?: not|n['’]t) (?:\w+ )?exist|(?:was|were|is|are|has been"
    r"|have been) (?:\w+ )?(?:removed|dropped|deleted|gone|retired)"
    r"|no longer exists?|never existed|went away|(?:is|are)(?: not|n['’]t) (?:there|available"
    r"|part of (?:tensorflow|keras)|in (?:tensorflow|keras)))(?![A-Za-z])",
    re.IGNORECASE,
)
# The denial itself is denied.
_UNDONE = re.compile(
    r"(?:没有?|并没有?|未|尚未|还没有?|不会|不是|并非|并不是|从未|没有真的|不再|不曾|无法|不能"
    r"|不可能|不|谁说|难道)\s*(?:真的|完全|真正|彻底)?$"
    r"|\b(?:not|never|n['’]t|hardly|nor|neither)(?: (?:actually|really|yet|been|being|be|simply"
    r"|completely|entirely|get|got))*\s*$",
    re.IGNORECASE,
)
_CONDITIONAL = re.compile(
    r"(?:如果|假如|要是|若|倘若|即使|哪怕|一旦|万一|只要|\bif\b|\bwithout\b|\bunless\b|\bwere\b)", re.IGNORECASE
)
_ONE_S_OWN = re.compile(
    r"(?:代码|程序|项目|脚本|简历|文中|例子|示例|工程|我们?|他们?|她们?|大家|同事|作者|团队|候选人"
    r"|\b(?:I|we|he|she|they|you|my|our|his|her|their|code|project|script|candidate|author|team"
    r"|commit|example|snippet|answer|program|model|colleague)\b)[^，。；,;]{0,18}$",
    re.IGNORECASE,
)
_OWN_PLACE = re.compile(r"代码|项目|脚本|工程|我们|我的|例子|示例")
_OWN_PLACE_BEHIND = re.compile(
    r"\s*(?:from|in|out of) (?:our|my|the|this|his|her|their|your) (?:\w+ )?"
    r"(?:code|project|script|repo|example|notebook|model)"
)
_USABLE = re.compile(
    r"不能|用不了|不可用|不再(?:支持|可用|能用)|no longer (?:works?|supported|available)|not ", re.IGNORECASE
)
_MODE = re.compile(r"动态图|静态图|图模式|模式|多卡|单卡|设备|平台|GPU|TPU|CPU|Windows|eager", re.IGNORECASE)
_MODE_BEHIND = re.compile(
    r"\s*(?:in (?:eager|graph|multi|(?:this|that|the) \w+ mode)|with (?!tensorflow|tf|keras|\d)|for (?!import)"
    r"|when |on |if |under |inside )",
    re.IGNORECASE,
)
_COMPARED = re.compile(
    r"^[`”\"'’]?\s*(?:的话|[那这](?:么(?!个)|样(?!的))|方便|好用|灵活|快|直观|常用|稳|高效|强大"
    r"|简单|的(?!函数|方法|接口|类|参数|层|属性|API|名字))"
)
_ASKED = re.compile(r"有没有|有木有|是否(?:有|存在|还在)|\b(?:is|are) there\b(?! no)|\bisn['’]t there\b", re.IGNORECASE)
_RENAMED = re.compile(r"改名|更名|重命名|renamed|moved|[迁移搬挪合并]到", re.IGNORECASE)


class Denial(StrEnum):
    """How firmly a name is denied."""

    NONE = "none"
    DENIED = "denied"
    RENAMED = "renamed"  # moved or renamed: the old name is usually, not always, gone


@lru_cache(maxsize=512)  # long lists repeat their surroundings
def denial(before: str, after: str, following: str) -> Denial:
    """What a sentence says about the existence of a name.

    `before` and `after` are the parts of its clause on either side of the name, `following` the next clause of
    the sentence ("" at its end, or when another name stands there first).
    """
    before, after = before[-_REACH:], after[:_REACH]
    if _denied_before(before, after):
        return Denial.DENIED
    for rule in (_AFTER_ZH, _AFTER_EN):
        found = rule.match(after)
        if found and not (_undone(after[: found.start("cue")]) or _undone(before) or _is_local(after, found)):
            return Denial.RENAMED if _RENAMED.search(found["cue"]) else Denial.DENIED
    back = _POINTS_BACK.match(following[:_REACH])
    if back:
        start = back.start("cue") if back["cue"] else back.start("cue2")
        if not _undone(following[:start]):
            return Denial.DENIED
    return Denial.NONE


def _is_local(after: str, found: re.Match[str]) -> bool:
    """Whether the denial holds only somewhere: in one's own code, in one mode of running, on one device."""
    behind = after[found.end() :]
    if _OWN_PLACE.search(found["filler"]) or _OWN_PLACE_BEHIND.match(behind):
        return True
    return bool(_USABLE.match(found["cue"])) and bool(_MODE.search(found["filler"]) or _MODE_BEHIND.match(behind))


def _denied_before(before: str, after: str) -> bool:
    for rule in (_BEFORE_ZH, _BEFORE_EN):
        found = rule.search(before)
        if not found or _ASKED.search(before):
            continue
        head, cue = before[: found.start()], found["cue"]
        if _CONDITIONAL.search(head) or _COMPARED.match(after) or _undone(head):
            continue
        if _ONE_S_OWN.search(head) and not re.search(r"写|拼|write|spell|type", cue):
            continue
        return True
    return False


def _undone(head: str) -> bool:
    return bool(_UNDONE.search(head))
